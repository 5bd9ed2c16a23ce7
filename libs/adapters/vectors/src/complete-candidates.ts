import type { NamedVector, PointPayload } from '@postmaster/contracts';
import type { Candidate, Probe } from '@postmaster/retrieval';
import { bestCosine } from './cosine.js';
import { questionTerms } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { passesFilter } from './passes-filter.js';
import { pointCondition } from './point-condition.js';
import { payloadOf } from './read-points.js';
import { rowReader } from './row-reader.js';
import { ALL_VECTORS, byName, isMulti } from './row-vectors.js';
import { NO_VECTORS, type StoredPoint } from './stored-point.js';
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
      const best = bestCosine(probe.vector, vectors[name]);
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
      candidates.push(score({ id, payload: point.payload, scores: {}, matched: {} }, point));
  }
  if (numbers.length === 0) return candidates;
  // each column costs a read for each row, few bytes or many
  const rows = reader
    .takeRowIds(numbers)
    .select(['payload', ...(bm25 ? ['terms'] : []), ...(named.length > 0 ? [ALL_VECTORS] : [])])
    .withRowId();
  for await (const batch of rows) {
    const row = rowReader(batch);
    const [number, payload] = [row.numbers(ROW_NUMBER), row.strings('payload')];
    const terms = bm25 ? row.terms('terms') : () => NO_TERMS;
    const piece = named.length > 0 ? row.vectorLists(ALL_VECTORS) : undefined;
    for (let at = 0; at < row.rows; at++) {
      const candidate = stored(read.rows.idOf(number(at)), () => payloadOf(payload(at)));
      if (passesAt(candidate))
        candidates.push(score(candidate, { terms: terms(at), vectors: piece ? byName(piece(at)) : NO_VECTORS }));
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
  vectors: StoredPoint['vectors'];
}

const NO_TERMS = new Uint32Array();
