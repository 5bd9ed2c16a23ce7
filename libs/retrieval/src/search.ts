import {
  CachedPart,
  CodedError,
  type HitGroup,
  type Leg,
  LEGS,
  type Notice,
  type QueryPlan,
  type Reading,
  type Requests,
  type SearchHit,
  type SearchOptions,
  type TenantId,
} from '@postmaster/contracts';
import { arrangeHits, foldLikely, groupsOf } from './arrange-hits.js';
import type { Freshness } from './cache/document-freshness.js';
import { encodeAnew, type EncodeQuestion } from './cache/question-vectors.js';
import type { Candidate, CandidateStore, Probe } from './candidate-store.js';
import { checkFilter, checkFirst, checkOptions, checkQuestion } from './check-request.js';
import { gatherCandidates, PER_LEG } from './gather-candidates.js';
import { askEntities, NO_ENTITIES, withEntities } from './entity-leg.js';
import { duplicateOf, explainHit, hitParagraph } from './explain-hit.js';
import { defaultWeights } from './default-weights.js';
import type { Fused } from './fuse-scores.js';
import { type FillTexts, fillTexts } from './fill-texts.js';
import { highlightWords } from './highlight-words.js';
import { keepLiving, MOST_CHECKED } from './keep-living.js';
import { weighedWords } from './question-words.js';
import { lexicalText } from './plan/encode-reading.js';
import { type PlanPorts, planQuery } from './plan/plan-query.js';
import { readKnownValues } from './plan/known-values.js';
import { searchRelaxing } from './plan/relax-filter.js';
import { type RelevanceReader, relevanceReader } from './relevance-reader.js';
import { RERANKED, type RerankHits, rerankHits } from './rerank-hits.js';
import { productSettings, type SettingsOf, withSettings } from './search-settings.js';
import { shareScore } from './share-score.js';
import { fuseWithSummaries } from './summary-hits.js';

export interface SearchPorts extends Pick<PlanPorts, 'today' | 'modelTimeoutMs' | 'onFault' | 'replies' | 'ledger'> {
  requests: Requests;
  store: CandidateStore;
  languageOf: (text: string) => string | null;
  /** Reads requests where the caller wants it; without one, rules do. */
  planner?: PlanPorts['model'];
  /** The tenant's defaults below a question's own options; the product's unless told. */
  settings?: SettingsOf;
  /** Asks for a question's vector; each anew unless told. */
  encode?: EncodeQuestion;
  /** Where it is heard that documents change; what is known of them lasts for its time unless told. */
  holds?: Freshness['holds'];
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
 * Milliseconds per phase. `plan` holds the tenant's settings, and the reply of a model or of ingestion where one was asked;
 * `living` is what the owner of the paragraphs takes, texts that it reads from files included; `fuse` is scoring,
 * relevance and reasons: all that is neither plan, encoder, store, reranker nor owner.
 */
export interface SearchTiming {
  plan: number;
  encode: number;
  candidates: number;
  complete: number;
  fuse: number;
  rerank: number;
  living: number;
}

export interface SearchResult {
  hits: SearchHit[];
  /** The hits by document, where that was asked for. */
  groups?: HitGroup[];
  plan: QueryPlan;
  notices: Notice[];
  timing: SearchTiming;
  tookMs: number;
  /** Hits that were left out because their owner says that they are gone. */
  dropped: number;
}

/**
 * The paragraphs that fit a question best, with their reasons, and documents whose summary holds more of it than theirs
 * do. Throws QUERY_EMPTY, QUERY_TOO_LONG, FILTER_INVALID, INPUT_INVALID, and whatever keeps the question from being
 * encoded; an owner or a reranker that is silent is only a notice.
 */
export const search = ({
  requests,
  store,
  languageOf,
  settings = productSettings,
  encode = encodeAnew(requests),
  holds,
  hold,
  planner,
  rerank = rerankHits({}),
  ...ports
}: SearchPorts) => {
  const now = ports.now ?? (() => performance.now());
  const plan = planQuery({ ...ports, known: readKnownValues(requests, now, holds), model: planner, languageOf, now });
  const anew = encodeAnew(requests);
  const fill = fillTexts(requests);
  const gather = gatherCandidates({ store, now });
  return async (
    tenant: TenantId,
    token: string,
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<SearchResult> => {
    const query = checkQuestion(request.query);
    const first = checkFirst(request.first ?? undefined);
    const filter = checkFilter(request.filter);
    const own = checkOptions(request.options);
    const asked = now();
    const [known, { reading, ...planned }] = await Promise.all([
      settings(tenant, token),
      plan(tenant, token, query, own, signal),
    ]);
    const options = withSettings(own, known.settings);
    const language = languageOf(query);
    const release = hold?.();
    try {
      const began = now();
      const entityWeight = options.weights?.entities ?? 0;
      const [{ vector, index, encoder, cached }, entities] = await Promise.all([
        (own.fresh ? anew : encode)(tenant, token, reading),
        entityWeight > 0 ? askEntities(requests, token, query) : NO_ENTITIES,
      ]);
      const encoded = now();
      const defaults = { ...defaultWeights(encoder, language), ...known.settings.weights };
      const weights = legWeights(defaults, own, reading.favour);
      const legs = LEGS.filter((leg) => weights[leg] > 0);
      const probe: Probe = { vector, text: lexicalText(reading), legs };
      const relaxed = await searchRelaxing(
        filter,
        reading.conditions,
        (narrowed) =>
          gather(
            tenant,
            index,
            { ...probe, filter: narrowed },
            PER_LEG,
            entities.scores.keys(),
            options.summaries ?? true,
          ),
        ({ candidates }) => candidates.length === 0,
      );
      const { listed, completed, summaries } = relaxed.found;
      const candidates = withEntities(relaxed.found.candidates, entities);
      const fusing = { ...options, weights: { ...weights, entities: entityWeight } };
      const words = weighedWords(reading.searchText);
      const scored = fuseWithSummaries(candidates, summaries, fusing, words);
      const scoredAt = now();
      const { fused, notices: unread } = await withTexts(fill, token, scored, wanted(first, options));
      const ready = now();
      const { ranked, notices: said } = await rerank(tenant, options.rerank, { text: query, language }, fused, signal);
      const reread = now();
      const relevance = relevanceReader(encoder, language, words, candidates.length);
      const likely = foldLikely(relevant(ranked, options.minRelevance ?? 0, relevance), first, options);
      const chosen = now();
      const { kept, dropped, notices } = await keepLiving(requests, token, likely);
      const checked = now();
      const arranged = arrangeHits(kept, first, options);
      const hits = arranged.map(([{ candidate, score, legs, rerank: match }, ...repeats]): SearchHit => ({
        paragraph: hitParagraph(candidate),
        score,
        relevance: relevance.of(candidate),
        why: explainHit(candidate, legs, words, shareScore(match ? 0 : score, legs, options)),
        ...(match && { rerank: match }),
        duplicates: repeats.map(duplicateOf),
        highlights: highlightWords(candidate.payload.text, words),
      }));
      const ended = now();
      return {
        hits,
        ...(options.groupBy && { groups: groupsOf(hits) }),
        notices: [
          ...known.notices,
          ...planned.notices,
          ...entities.notices,
          ...relaxed.notices,
          ...unread,
          ...said,
          ...notices,
        ],
        dropped,
        plan: {
          query,
          language,
          index,
          encoder,
          fusion: options.fusion ?? 'min-max',
          legs: [
            ...probe.legs.map((leg) => ({ leg, weight: weights[leg] })),
            ...(entityWeight > 0 ? [{ leg: 'entities' as const, weight: entityWeight }] : []),
          ],
          candidates: candidates.length,
          planning: planned.planning,
          reading,
          cost: planned.cost,
          cached: CachedPart.options.filter((part) => (part === 'plan' ? planned.cached : cached)),
        },
        timing: {
          plan: began - asked,
          encode: encoded - began,
          candidates: listed - encoded,
          complete: completed - listed,
          fuse: scoredAt - completed + (chosen - reread) + (ended - checked),
          rerank: reread - ready,
          living: checked - chosen + (ready - scoredAt),
        },
        tookMs: ended - asked,
      };
    } finally {
      release?.();
    }
  };
};

/** As many as are reranked, or hits are chosen from. */
const wanted = (first: number, { groupBy }: SearchOptions): number =>
  groupBy ? MOST_CHECKED : Math.max(RERANKED, 2 * first);

/** The best of them with the texts that are stored by reference. */
const withTexts = async (
  fill: FillTexts,
  token: string,
  scored: readonly Fused<Candidate>[],
  most: number,
): Promise<{ fused: readonly Fused<Candidate>[]; notices: Notice[] }> => {
  const best = scored.slice(0, most);
  if (!best.some(({ candidate }) => candidate.payload.reference)) return { fused: scored, notices: [] };
  const { filled, notices } = await fill(
    token,
    best.map(({ candidate }) => candidate),
  );
  const fused = best.map((one, i) => ({ ...one, candidate: filled[i] ?? one.candidate }));
  return { fused: [...fused, ...scored.slice(most)], notices };
};

/** The question's own weights count as they are; a plan's factors are on the others, the tenant's among them. */
const legWeights = (
  defaults: Readonly<Record<Leg, number>>,
  { weights }: SearchOptions,
  favour: Reading['favour'],
): Record<Leg, number> => {
  const all = { ...defaults };
  for (const leg of LEGS) all[leg] = weights?.[leg] ?? all[leg] * (favour[leg] ?? 1);
  if (LEGS.some((leg) => all[leg] > 0)) return all;
  throw new CodedError('INPUT_INVALID', 'The weights leave no leg to search by.', { field: 'options.weights' });
};

function* relevant<F extends Fused<Candidate>>(
  ranked: readonly F[],
  minRelevance: number,
  relevance: RelevanceReader,
): Generator<F> {
  for (const one of ranked) {
    if (minRelevance > 0 && relevance.atMost(one.candidate) < minRelevance) continue;
    if (minRelevance === 0 || relevance.of(one.candidate) >= minRelevance) yield one;
  }
}
