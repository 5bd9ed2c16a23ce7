import { type Leg, MULTI_VECTORS, type NamedVector, type PointPayload } from '@postmaster/contracts';
import type { Candidate, Probe } from '@postmaster/retrieval';
import { bestCosine } from './cosine.js';
import { questionTerms } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { passesFilter } from './passes-filter.js';
import { pointCondition } from './point-condition.js';
import { payloadOf, vectorsOf } from './read-points.js';
import { rowReader } from './row-reader.js';
import { ROW_NUMBER } from './table-rows.js';

/** Exact scores on every leg of the probe for the active points of these ids that pass the filter. */
export const completeCandidates = async (
  { reader, fresh, read, statistics }: OpenTable,
  probe: Probe,
  ids: readonly string[],
): Promise<Candidate[]> => {
  const named = probe.legs.filter((leg): leg is NamedVector => leg !== 'lexical');
  const bm25 = probe.legs.includes('lexical') ? statistics.bm25(questionTerms(probe.text)) : undefined;
  const score = (candidate: Candidate, { vectors, terms }: Scorable): Candidate => {
    for (const name of named) {
      const best = bestCosine(probe.vector, vectors(name));
      if (!best) continue;
      candidate.scores[name] = best.score;
      if (isMulti(name)) candidate.matched[name] = best.matched;
    }
    if (bm25) candidate.scores.lexical = bm25(terms);
    return candidate;
  };

  const passes = passesFilter(probe.filter);
  const { inactive } = read;
  const allPass = inactive !== undefined && pointCondition(probe.filter) === pointCondition();
  const passesAt = (candidate: Candidate): boolean =>
    allPass ? !inactive.has(candidate.id) : passes(candidate.payload);
  const numbers: number[] = [];
  const candidates: Candidate[] = [];
  for (const id of new Set(ids)) {
    const point = fresh.get(id);
    const number = fresh.has(id) ? undefined : read.rows.numberOf(id);
    if (number !== undefined) numbers.push(number);
    else if (point && passes(point.payload))
      candidates.push(
        score(
          { id, payload: point.payload, scores: {}, matched: {} },
          { terms: point.terms, vectors: (name) => point.vectors[name] },
        ),
      );
  }
  if (numbers.length === 0) return candidates;
  const rows = reader
    .takeRowIds(numbers)
    .select(['payload', 'terms', ...named])
    .withRowId();
  for await (const batch of rows) {
    const row = rowReader(batch);
    const [number, payload, terms] = [row.numbers(ROW_NUMBER), row.strings('payload'), row.terms('terms')];
    const vectors = new Map(named.map((name) => [name, vectorsOf(row, name)]));
    for (let at = 0; at < row.rows; at++) {
      const candidate = stored(read.rows.idOf(number(at)), () => payloadOf(payload(at)));
      if (passesAt(candidate))
        candidates.push(score(candidate, { terms: terms(at), vectors: (name) => vectors.get(name)?.(at) ?? [] }));
    }
  }
  return candidates;
};

/** Its payload is read when somebody asks for it: of most candidates nobody does. */
const stored = (id: string, read: () => PointPayload): Candidate => {
  let payload: PointPayload | undefined;
  return {
    id,
    get payload() {
      return (payload ??= read());
    },
    scores: {},
    matched: {},
  };
};

interface Scorable {
  terms: Uint32Array;
  vectors: (name: NamedVector) => readonly Float32Array[];
}

const isMulti = (leg: Leg): leg is (typeof MULTI_VECTORS)[number] => MULTI_VECTORS.some((multi) => multi === leg);
