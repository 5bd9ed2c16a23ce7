import {
  CodedError,
  type Leg,
  LEGS,
  type Notice,
  type QueryPlan,
  type Requests,
  type SearchHit,
  type SearchOptions,
  type TenantId,
} from '@postmaster/contracts';
import { encodeAnew, type EncodeQuestion } from './cache/question-vectors.js';
import type { Candidate, CandidateStore, Probe } from './candidate-store.js';
import { checkFilter, checkFirst, checkOptions, checkQuestion } from './check-request.js';
import { explainHit, hitParagraph } from './explain-hit.js';
import { DEFAULT_WEIGHTS, type Fused, fuseScores } from './fuse-scores.js';
import { keepLiving } from './keep-living.js';
import { weighedWords } from './question-words.js';
import { type RelevanceReader, relevanceReader } from './relevance-reader.js';
import { type RerankHits, rerankHits } from './rerank-hits.js';
import { productSettings, type SettingsOf, withSettings } from './search-settings.js';

/** How many of each leg's best become candidates. */
export const PER_LEG = 50;

export interface SearchPorts {
  requests: Requests;
  store: CandidateStore;
  languageOf: (text: string) => string | null;
  /** The tenant's defaults below a question's own options; the product's unless told. */
  settings?: SettingsOf;
  /** Asks for a question's vector; each anew unless told. */
  encode?: EncodeQuestion;
  /** Keeps bulk encoding waiting until what it gives is called; a process without an encoder has none. */
  hold?: () => () => void;
  /** With no reranker where absent. */
  rerank?: RerankHits;
  /** Milliseconds, of any origin. */
  now?: () => number;
}

export interface SearchRequest {
  query: string;
  /** 1…100; 5 where absent. */
  first?: number | null;
  /** A SearchFilter and SearchOptions, checked here. */
  filter?: unknown;
  options?: unknown;
}

/**
 * Milliseconds per phase. `fuse` is scoring, relevance and reasons: all that is neither encoder, store, reranker nor
 * owner.
 */
export interface SearchTiming {
  encode: number;
  candidates: number;
  complete: number;
  fuse: number;
  rerank: number;
  living: number;
}

export interface SearchResult {
  hits: SearchHit[];
  plan: QueryPlan;
  notices: Notice[];
  timing: SearchTiming;
  tookMs: number;
  /** Hits that were left out because their owner says that they are gone. */
  dropped: number;
}

/**
 * The paragraphs that fit a question best, with their reasons. Throws QUERY_EMPTY, QUERY_TOO_LONG, FILTER_INVALID,
 * INPUT_INVALID, and whatever keeps the question from being encoded; an owner or a reranker that is silent is only a
 * notice.
 */
export const search =
  ({
    requests,
    store,
    languageOf,
    settings = productSettings,
    encode,
    hold,
    rerank = rerankHits({}),
    now = () => performance.now(),
  }: SearchPorts) =>
  async (tenant: TenantId, token: string, request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> => {
    const query = checkQuestion(request.query);
    const first = checkFirst(request.first ?? undefined);
    const filter = checkFilter(request.filter);
    const own = checkOptions(request.options);
    const known = await settings(tenant, token);
    const options = withSettings(own, known.settings);
    const weights = legWeights(options);
    const release = hold?.();
    try {
      const began = now();
      const encodes = (!options.fresh && encode) || encodeAnew(requests);
      const { vector, index, encoder, cached } = await encodes(tenant, token, query);
      const encoded = now();
      const probe: Probe = { vector, text: query, legs: LEGS.filter((leg) => weights[leg] > 0), filter };
      const lists = await store.candidates(tenant, index, probe, PER_LEG);
      const listed = now();
      const ids = new Set(Object.values(lists).flatMap((list) => list.map(({ id }) => id)));
      const candidates = ids.size === 0 ? [] : await store.complete(tenant, index, probe, [...ids]);
      const completed = now();
      const fused = fuseScores(candidates, { ...options, weights });
      const language = languageOf(query);
      const ready = now();
      const { ranked, notices: said } = await rerank(options.rerank, { text: query, language }, fused, signal);
      const reread = now();
      const words = weighedWords(query);
      const relevance = relevanceReader(encoder, language, words, candidates.length);
      const likely = takeRelevant(ranked, Math.min(2 * first, 200), options.minRelevance ?? 0, relevance);
      const chosen = now();
      const { kept, dropped, notices } = await keepLiving(requests, token, likely);
      const checked = now();
      const hits = kept.slice(0, first).map(({ candidate, score, legs, rerank: match }): SearchHit => ({
        paragraph: hitParagraph(candidate),
        score,
        relevance: relevance.of(candidate),
        why: explainHit(candidate, legs, words),
        ...(match && { rerank: match }),
      }));
      const ended = now();
      return {
        hits,
        notices: [...known.notices, ...said, ...notices],
        dropped,
        plan: {
          query,
          language,
          index,
          encoder,
          fusion: options.fusion ?? 'min-max',
          legs: probe.legs.map((leg) => ({ leg, weight: weights[leg] })),
          candidates: candidates.length,
          cached: cached ? ['question-vector'] : [],
        },
        timing: {
          encode: encoded - began,
          candidates: listed - encoded,
          complete: completed - listed,
          fuse: ready - completed + (chosen - reread) + (ended - checked),
          rerank: reread - ready,
          living: checked - chosen,
        },
        tookMs: ended - began,
      };
    } finally {
      release?.();
    }
  };

const legWeights = ({ weights }: SearchOptions): Record<Leg, number> => {
  const all = { ...DEFAULT_WEIGHTS, ...weights };
  if (LEGS.some((leg) => all[leg] > 0)) return all;
  throw new CodedError('INPUT_INVALID', 'The weights leave no leg to search by.', { field: 'options.weights' });
};

const takeRelevant = <F extends Fused<Candidate>>(
  ranked: readonly F[],
  most: number,
  minRelevance: number,
  relevance: RelevanceReader,
): F[] => {
  if (minRelevance === 0) return ranked.slice(0, most);
  const taken: F[] = [];
  for (const one of ranked) {
    if (taken.length === most) break;
    if (relevance.atMost(one.candidate) < minRelevance) continue;
    if (relevance.of(one.candidate) >= minRelevance) taken.push(one);
  }
  return taken;
};
