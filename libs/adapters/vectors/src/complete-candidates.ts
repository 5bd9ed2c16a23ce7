import { type Leg, MULTI_VECTORS, type NamedVector } from '@postmaster/contracts';
import type { Candidate, Probe } from '@postmaster/retrieval';
import { bestCosine } from './cosine.js';
import { termHash } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { idCondition, pointCondition } from './point-condition.js';
import { payloadOf, vectorsOf } from './read-points.js';
import { rowReader } from './row-reader.js';
import { questionTerms } from './search-legs.js';

/** Exact scores on every leg of the probe for the active points of these ids that pass the filter. */
export const completeCandidates = async (
  { reader, statistics }: OpenTable,
  probe: Probe,
  ids: readonly string[],
): Promise<Candidate[]> => {
  const named = probe.legs.filter((leg): leg is NamedVector => leg !== 'lexical');
  const terms = probe.legs.includes('lexical') ? questionTerms(probe.text).map(termHash) : undefined;
  const query = reader.query().where(`${pointCondition(probe.filter)} AND ${idCondition(ids)}`);
  const candidates: Candidate[] = [];
  for await (const batch of query.select(['id', 'payload', 'terms', ...named])) {
    const row = rowReader(batch);
    const [id, payload, termsAt] = [row.strings('id'), row.strings('payload'), row.terms('terms')];
    const vectors = named.map((name) => [name, vectorsOf(row, name)] as const);
    for (let at = 0; at < row.rows; at++) {
      const candidate: Candidate = { id: id(at), payload: payloadOf(payload(at)), scores: {}, matched: {} };
      for (const [name, of] of vectors) {
        const best = bestCosine(probe.vector, of(at));
        if (!best) continue;
        candidate.scores[name] = best.score;
        if (isMulti(name)) candidate.matched[name] = best.matched;
      }
      if (terms) candidate.scores.lexical = statistics.bm25(terms, termsAt(at));
      candidates.push(candidate);
    }
  }
  return candidates;
};

const isMulti = (leg: Leg): leg is (typeof MULTI_VECTORS)[number] => MULTI_VECTORS.some((multi) => multi === leg);
