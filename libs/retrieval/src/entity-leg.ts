import { entityParagraphs, failure, type Notice, type Requests } from '@postmaster/contracts';
import type { Candidate } from './candidate-store.js';
import { PER_LEG } from './gather-candidates.js';

/** What the leg of entities has for a question, by paragraph; empty where the question names nothing that is known. */
export interface EntityLeg {
  scores: ReadonlyMap<string, { score: number; names: readonly string[] }>;
  notices: readonly Notice[];
}

export const NO_ENTITIES: EntityLeg = { scores: new Map(), notices: [] };

/** Asks enrichment for its best; where it does not answer the search goes without, and says so. */
export const askEntities = async (
  requests: Pick<Requests, 'ask'>,
  token: string,
  query: string,
): Promise<EntityLeg> => {
  try {
    const { paragraphs } = await requests.ask(entityParagraphs, token, { query, most: PER_LEG });
    return { scores: new Map(paragraphs.map(({ id, ...rest }) => [id, rest])), notices: [] };
  } catch {
    return { scores: new Map(), notices: [UNASKED] };
  }
};

const UNASKED = failure('SERVICE_UNAVAILABLE', 'Who knows the entities does not answer: that leg was left out.');

/** The candidates with their score on that leg: 0 for those that it did not bring. */
export const withEntities = (candidates: readonly Candidate[], { scores }: EntityLeg): readonly Candidate[] =>
  scores.size === 0
    ? candidates
    : candidates.map((candidate) => {
        const { score = 0, names = [] } = scores.get(candidate.id) ?? {};
        return { ...candidate, scores: { ...candidate.scores, entities: score }, named: names };
      });
