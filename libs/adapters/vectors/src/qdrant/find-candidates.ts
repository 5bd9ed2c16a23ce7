import type { Leg, TenantId } from '@postmaster/contracts';
import type { Probe, Scored } from '@postmaster/retrieval';
import type { Schemas } from '@qdrant/js-client-rest';
import type { QuestionTerm } from '../lexical-terms.js';
import { OVERSAMPLING } from './collection-schema.js';
import { questionWeights } from './lexical-weights.js';
import { corpusOf, searchFilter } from './point-filter.js';
import type { QdrantCall } from './qdrant-calls.js';
import type { QdrantSettings } from './qdrant-settings.js';

/** A search of the server's batch, without its filter. */
export type LegQuery = Pick<Schemas['QueryRequest'], 'query' | 'using' | 'params'>;

/** Each leg's best points, in one call. */
export const findCandidates = async (
  call: QdrantCall,
  settings: QdrantSettings,
  collection: string,
  tenant: TenantId,
  probe: Probe,
  words: readonly QuestionTerm[],
  perLeg: number,
): Promise<Partial<Record<Leg, Scored[]>>> => {
  const filter = searchFilter(tenant, probe.filter, probe.kind ?? 'paragraph');
  const lists: Partial<Record<Leg, Scored[]>> = Object.fromEntries(probe.legs.map((leg) => [leg, []]));
  const queries = filter ? legQueries(tenant, probe, words, nearestParams(settings)) : [];
  if (queries.length === 0) return lists;
  const searches = queries.map(([, query]) => ({ ...query, filter, limit: perLeg, with_payload: ['id'] }));
  const answers = await call((client) => client.queryBatch(collection, { searches }));
  answers.forEach(({ points }, i) => {
    const leg = queries[i]?.[0];
    if (leg)
      lists[leg] = points
        .map(({ payload, score }) => ({ id: String(payload?.id), score: exactly(score) }))
        .sort(byScore);
  });
  return lists;
};

/** What each leg of the probe asks; a question without a word asks nothing of the lexical one. */
export const legQueries = (
  tenant: TenantId,
  { legs, vector }: Probe,
  words: readonly QuestionTerm[],
  params: Schemas['SearchParams'],
): [leg: Leg, query: LegQuery][] => {
  const nearest = Array.from(vector);
  const lexical = questionWeights(words);
  // newer than the client's types; a server that doesn't know it counts over all tenants of the collection
  const tenantIdf: object = { idf: { corpus: corpusOf(tenant) } };
  return legs.flatMap((leg): [Leg, LegQuery][] => {
    if (leg !== 'lexical') return [[leg, { query: nearest, using: leg, params }]];
    return lexical ? [[leg, { query: lexical, using: leg, params: tenantIdf }]] : [];
  });
};

const nearestParams = ({ ef, quantization }: QdrantSettings): Schemas['SearchParams'] => ({
  hnsw_ef: ef,
  ...(quantization !== 'none' && { quantization: { rescore: true, oversampling: OVERSAMPLING[quantization] } }),
});

/** A score without the noise past a float32's digits, which differs with where and how a point was written. */
export const exactly = (score: number): number => Math.round(score * 1e6) / 1e6;

const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.id < b.id ? -1 : 1);
