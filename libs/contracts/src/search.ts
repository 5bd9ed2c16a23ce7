import { z } from 'zod';
import { Failure } from './failure.js';
import { ScoredLeg } from './legs.js';
import { ParagraphPlace } from './point.js';
import { PLAN_OPTIONS, PlanCost, Planning, Reading } from './reading.js';
import { Rerank, RerankMatch } from './rerank.js';

/** How the legs' scores become one; libs/retrieval/src/fuse-scores.ts defines each. */
export const FUSIONS = ['min-max', 'rrf', 'softmax', 'z-score', 'mean', 'max'] as const;
export const Fusion = z.enum(FUSIONS);
export type Fusion = z.infer<typeof Fusion>;

export const GroupBy = z.enum(['document']);
export type GroupBy = z.infer<typeof GroupBy>;

export const SearchOptions = z
  .object({
    fusion: Fusion.optional(),
    /** Legs that are named get this weight instead of the default; 0 leaves a leg out, as it does with `entities` unless it is named. */
    weights: z.partialRecord(ScoredLeg, z.number().min(0).max(100)).optional(),
    /** RRF's k (60). */
    k: z.number().min(0).max(1000).optional(),
    /** Softmax pooling's temperature (.1). */
    temperature: z.number().positive().max(100).optional(),
    /** Hits below this relevance are left out: 0…1, absolute. */
    minRelevance: z.number().min(0).max(1).optional(),
    /** The configured cross-encoder where absent; none where none is configured. */
    rerank: Rerank.optional(),
    ...PLAN_OPTIONS,
    /** Hits whose text nearly repeats that of a better one fold into it (true). */
    foldDuplicates: z.boolean().optional(),
    /** How much a hit has to differ from those before it: 0 (not at all) … 1 (that alone counts). */
    diversity: z.number().min(0).max(1).optional(),
    /** `first` counts documents, each with its best `perGroup` (3) hits. */
    groupBy: GroupBy.optional(),
    perGroup: z.number().int().min(1).max(20).optional(),
    /** Documents are found by title and summary too, where these hold more of what is asked for than each of their paragraphs (true). Answers are written of paragraphs alone. */
    summaries: z.boolean().optional(),
    /** Everything anew: nothing is taken from a cache, nor is the answer kept. */
    fresh: z.boolean().optional(),
  })
  .strict();
export type SearchOptions = z.infer<typeof SearchOptions>;

/** The options that a tenant can set for its questions; a question's own come before them. Unknown ones fall away. */
export const SearchSettings = z.object(
  SearchOptions.pick({ fusion: true, weights: true, k: true, temperature: true, minRelevance: true }).shape,
);
export type SearchSettings = z.infer<typeof SearchSettings>;

/** Something that a reader of an otherwise complete answer should know, by a code of error-codes.ts. */
export const Notice = Failure;
export type Notice = z.infer<typeof Notice>;

/** Why a paragraph was found, by one leg. */
export const LegMatch = z.object({
  leg: ScoredLeg,
  score: z.number(), // cosine (−1…1), BM25 (≥ 0), or how much of the question's entities (0…1)
  scaled: z.number().min(0).max(1), // within this question's candidates
  rank: z.number().int().positive(), // 1 + how many candidates score higher on this leg
  weight: z.number().min(0), // the share it was given in the score
  share: z.number().min(0).max(1), // what it gave to the hit's score: they sum to it; 0 where a reranker gave the score
  text: z.string().nullable(), // what matched: the facet's question, context or scope, the paragraph's best sentence, or the entities' names
});
export type LegMatch = z.infer<typeof LegMatch>;

export const HitParagraph = ParagraphPlace.extend({
  id: z.string(),
  document: z.string(),
  version: z.number().int(),
  title: z.string(),
  text: z.string(),
  language: z.string().nullable(),
  contentType: z.string(),
  sourceType: z.string(),
  sourceId: z.string(),
  collection: z.string().nullable(),
});
export type HitParagraph = z.infer<typeof HitParagraph>;

/** A paragraph whose text nearly repeats that of the hit which stands for it. */
export const Duplicate = z.object({
  id: z.string(),
  document: z.string(),
  title: z.string(), // the document's
});
export type Duplicate = z.infer<typeof Duplicate>;

/** A place in a paragraph's text. */
export const Highlight = z.object({
  start: z.number().int().min(0), // code points
  end: z.number().int().min(1), // past the last one
});
export type Highlight = z.infer<typeof Highlight>;

export const SearchHit = z.object({
  paragraph: HitParagraph, // or what stands for one: title and summary of a document (`kindOf`)
  score: z.number().min(0).max(1), // ranks within one question; near 1 at the top
  relevance: z.number().min(0).max(1), // absolute: whether it fits at all
  why: z.array(LegMatch),
  rerank: RerankMatch.optional(), // absent where the fused order stands, or ended before this hit was read again
  duplicates: z.array(Duplicate), // best first; empty where duplicates are not folded
  highlights: z.array(Highlight), // where words of the question stand, in order and apart
});
export type SearchHit = z.infer<typeof SearchHit>;

/** The hits of one document. */
export const HitGroup = z.object({
  document: z.string(),
  title: z.string(),
  hits: z.array(SearchHit).min(1), // best first
});
export type HitGroup = z.infer<typeof HitGroup>;

/** What a search can take from a cache. */
export const CachedPart = z.enum(['question-vector', 'plan']);
export type CachedPart = z.infer<typeof CachedPart>;

/** What a search did with its question. */
export const QueryPlan = z.object({
  query: z.string(), // trimmed, NFC
  language: z.string().nullable(), // ISO 639-1
  index: z.string(),
  encoder: z.string(),
  fusion: Fusion,
  legs: z.array(z.object({ leg: ScoredLeg, weight: z.number() })),
  candidates: z.number().int(), // paragraphs that were scored
  planning: z.enum([...Planning.options, 'given']), // who made the reading
  reading: Reading,
  cost: PlanCost,
  cached: z.array(CachedPart).optional(), // what was not made for this search alone
});
export type QueryPlan = z.infer<typeof QueryPlan>;
