import { type Leg, MULTI_VECTORS, type NamedVector } from '@postmaster/contracts';
import type { Candidate, Probe } from '@postmaster/retrieval';
import { bestCosine } from './cosine.js';
import { questionTerms } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { passesFilter } from './passes-filter.js';
import { idCondition, pointCondition } from './point-condition.js';
import { payloadOf, vectorsOf } from './read-points.js';
import { rowReader } from './row-reader.js';
import type { CountedPoint } from './stored-point.js';

/** Exact scores on every leg of the probe for the active points of these ids that pass the filter. */
export const completeCandidates = async (
  { reader, fresh, statistics }: OpenTable,
  probe: Probe,
  ids: readonly string[],
): Promise<Candidate[]> => {
  const named = probe.legs.filter((leg): leg is NamedVector => leg !== 'lexical');
  const bm25 = probe.legs.includes('lexical') ? statistics.bm25(questionTerms(probe.text)) : undefined;
  const candidateOf = (point: Asked): Candidate => {
    const candidate: Candidate = { id: point.id, payload: point.payload, scores: {}, matched: {} };
    for (const name of named) {
      const best = bestCosine(probe.vector, point.vectors(name));
      if (!best) continue;
      candidate.scores[name] = best.score;
      if (isMulti(name)) candidate.matched[name] = best.matched;
    }
    if (bm25) candidate.scores.lexical = bm25(point.terms);
    return candidate;
  };

  const passes = passesFilter(probe.filter);
  const condition = pointCondition(probe.filter);
  const stale: string[] = [];
  const candidates: Candidate[] = [];
  for (const id of new Set(ids)) {
    const point = fresh.get(id);
    if (!fresh.has(id)) stale.push(id);
    else if (point && passes(point.payload))
      candidates.push(candidateOf({ ...point, vectors: (name) => point.vectors[name] }));
  }
  if (stale.length > 0) {
    const query = reader.query().where(`${condition} AND ${idCondition(stale)}`);
    for await (const batch of query.select(['id', 'payload', 'terms', ...named])) {
      const row = rowReader(batch);
      const [id, payload, termsAt] = [row.strings('id'), row.strings('payload'), row.terms('terms')];
      const vectors = new Map(named.map((name) => [name, vectorsOf(row, name)]));
      for (let at = 0; at < row.rows; at++)
        candidates.push(
          candidateOf({
            id: id(at),
            payload: payloadOf(payload(at)),
            terms: termsAt(at),
            vectors: (name) => vectors.get(name)?.(at) ?? [],
          }),
        );
    }
  }
  return candidates;
};

type Asked = Omit<CountedPoint, 'revision' | 'vectors'> & { vectors: (name: NamedVector) => readonly Float32Array[] };

const isMulti = (leg: Leg): leg is (typeof MULTI_VECTORS)[number] => MULTI_VECTORS.some((multi) => multi === leg);
