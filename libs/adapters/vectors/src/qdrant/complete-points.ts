import { MULTI_VECTORS, type PointPayload, type TenantId } from '@postmaster/contracts';
import type { Candidate, Probe } from '@postmaster/retrieval';
import type { Schemas } from '@qdrant/js-client-rest';
import type { QuestionTerm } from '../lexical-terms.js';
import { exactly, legQueries } from './find-candidates.js';
import { nearestPacked } from './packed-questions.js';
import { searchFilter } from './point-filter.js';
import { pointId } from './point-id.js';
import type { PointRecord } from './point-record.js';
import type { QdrantCall } from './qdrant-calls.js';

/** Neither graph nor quantised vectors: so few points are scored one by one. */
const EXACT: Schemas['SearchParams'] = { exact: true, quantization: { ignore: true } };

/**
 * Exact scores on every leg of the probe for the active points of these ids that pass the filter, in one call: a query
 * a leg among these points, and one that scores nothing for their payload.
 */
export const completePoints = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  probe: Probe,
  words: readonly QuestionTerm[],
  ids: readonly string[],
): Promise<Candidate[]> => {
  const passing = searchFilter(tenant, probe.filter);
  if (!passing || ids.length === 0) return [];
  const filter = { must: [{ has_id: ids.map((id) => pointId(tenant, id)) }, ...passing.must] };
  const queries = legQueries(tenant, probe, words, EXACT);
  const limit = ids.length;
  const [records, ...scored] = await call((client) =>
    client.queryBatch(collection, {
      searches: [
        { filter, limit, with_payload: ['id', 'point', 'questions'] },
        ...queries.map(([, query]) => ({ ...query, filter, limit })),
      ],
    }),
  );
  const candidates = new Map<unknown, Candidate>();
  for (const { id, payload } of records?.points ?? [])
    candidates.set(id, candidateOf(payload as unknown as PointRecord, probe)); // written by this library alone
  scored.forEach(({ points }, i) => {
    const leg = queries[i]?.[0];
    for (const { id, score } of points) {
      const candidate = candidates.get(id);
      if (leg && candidate) candidate.scores[leg] = exactly(score);
    }
  });
  return [...candidates.values()];
};

const candidateOf = ({ id, point, questions }: PointRecord, { vector, legs }: Probe): Candidate => {
  const candidate: Candidate = { id, payload: JSON.parse(point) as PointPayload, scores: {}, matched: {} };
  if (legs.includes('lexical')) candidate.scores.lexical = 0; // unless a word matches
  for (const name of MULTI_VECTORS) {
    const nearest = legs.includes(name) ? nearestPacked(vector, questions[name]) : undefined;
    if (nearest !== undefined) candidate.matched[name] = nearest;
  }
  return candidate;
};
