import {
  CodedError,
  type Leg,
  type Notice,
  type Requests,
  type SearchHit,
  servingIndex,
  type TenantId,
} from '@postmaster/contracts';
import { foldLikely } from './arrange-hits.js';
import type { Candidate, CandidateStore, Probe, StoredParagraph } from './candidate-store.js';
import { checkFilter, checkFirst } from './check-request.js';
import { duplicateOf, explainHit, hitParagraph } from './explain-hit.js';
import { fillTexts } from './fill-texts.js';
import { foldRepeats } from './fold-repeats.js';
import { fuseScores } from './fuse-scores.js';
import { PER_LEG } from './gather-candidates.js';
import { highlightWords } from './highlight-words.js';
import { keepLiving } from './keep-living.js';
import { weighedWords } from './question-words.js';
import { relevanceReader } from './relevance-reader.js';
import { shareScore } from './share-score.js';

export interface SimilarRequest {
  paragraph: string;
  /** 1…100; 5 where absent. */
  first?: number | null;
  /** A SearchFilter, checked here. */
  filter?: unknown;
}

export interface Similar {
  hits: SearchHit[];
  notices: Notice[];
}

/** A paragraph is no question: what others would be asked says little of its likeness to them. */
const SIMILAR_LEGS: readonly Leg[] = ['paragraph', 'context', 'scope', 'lexical'];

/**
 * Paragraphs like a given one, by the vector of its text and by its words; without itself and what nearly repeats it.
 * Relevance is that to a question of the paragraph's words. Throws NOT_FOUND, FILTER_INVALID, INPUT_INVALID.
 */
export const moreLikeThis =
  ({ requests, store }: { requests: Requests; store: Pick<CandidateStore, 'candidates' | 'complete' | 'read'> }) =>
  async (tenant: TenantId, token: string, request: SimilarRequest): Promise<Similar> => {
    const first = checkFirst(request.first ?? undefined);
    const filter = checkFilter(request.filter);
    const { index, encoder } = await requests.ask(servingIndex, token, {});
    const fill = fillTexts(requests);
    const read = await store.read(tenant, index, { ids: [request.paragraph], vectors: true }, 1);
    const [own] = (await fill(token, read)).filled;
    if (!own?.vector)
      throw new CodedError('NOT_FOUND', `There is no paragraph "${request.paragraph}".`, { field: 'paragraph' });
    const probe: Probe = { vector: own.vector, text: own.payload.text, legs: SIMILAR_LEGS, filter };
    const lists = await store.candidates(tenant, index, probe, PER_LEG);
    const ids = new Set(Object.values(lists).flatMap((list) => list.map(({ id }) => id)));
    ids.delete(own.id);
    const completed = ids.size === 0 ? [] : await store.complete(tenant, index, probe, [...ids]);
    const { filled: candidates, notices: unread } = await fill(token, completed);
    const [itself] = foldRepeats<StoredParagraph | Candidate>(
      [own, ...candidates],
      ({ id, payload }) => payload.text || id,
    );
    const same = new Set(itself);
    const others = candidates.filter((candidate) => !same.has(candidate));
    const { kept, notices } = await keepLiving(requests, token, foldLikely(fuseScores(others), first, {}));
    const words = weighedWords(own.payload.text);
    const relevance = relevanceReader(encoder, own.payload.language, words, others.length);
    return {
      notices: [...unread, ...notices],
      hits: kept.slice(0, first).map(([{ candidate, score, legs }, ...repeats]) => ({
        paragraph: hitParagraph(candidate),
        score,
        relevance: relevance.of(candidate),
        why: explainHit(candidate, legs, words, shareScore(score, legs)),
        duplicates: repeats.map(duplicateOf),
        highlights: highlightWords(candidate.payload.text, words),
      })),
    };
  };
