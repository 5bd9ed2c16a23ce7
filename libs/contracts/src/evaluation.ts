import { z } from 'zod';
import { Leg, LEGS } from './legs.js';
import { LegMatch } from './search.js';

/** What one evaluation may hold, and what one request may bring: a batch stays below what NATS carries. */
export const EVALUATION_LIMITS = {
  paragraphs: 20_000,
  paragraphsABatch: 32,
  questionsABatch: 32,
  textCharacters: 20_000,
  /** Of a batch's texts together; a character may take three bytes. */
  batchCharacters: 250_000,
  perTenant: 4,
  /** Milliseconds after its last use. */
  lifetimeMs: 3_600_000,
} as const;

/**
 * The points of an evaluation, each kind with word statistics of its own: `composite` as in production, `plain` the
 * paragraph alone, `contextual` context and paragraph as one text, `joined` a facet's questions as one text.
 */
export const EVALUATION_COLLECTIONS = ['composite', 'plain', 'contextual', 'joined'] as const;
export const EvaluationCollection = z.enum(EVALUATION_COLLECTIONS);
export type EvaluationCollection = z.infer<typeof EvaluationCollection>;

/** `without-<leg>` is composite without that leg, `with-entities` with the one of entities; `composite-exact` fuses over all paragraphs. */
export const EVALUATION_WAYS = [
  'paragraph',
  'bm25',
  'hybrid-rrf',
  'hybrid-weighted',
  'hybrid-weighted-equal',
  'contextual-rrf',
  'contextual-weighted',
  'contextual-weighted-equal',
  'bm25-facets',
  'questions',
  'simple-questions',
  'complex-questions',
  'questions-joined',
  'mean',
  'max',
  'softmax',
  'rrf',
  'composite',
  'composite-exact',
  'hyde',
  'with-entities',
  ...LEGS.map((leg) => `without-${leg}` as const),
] as const;
export const EvaluationWay = z.enum(EVALUATION_WAYS);
export type EvaluationWay = z.infer<typeof EvaluationWay>;

const Id = z.string().min(1).max(200);
const Text = z.string().max(EVALUATION_LIMITS.textCharacters);

export const EvaluationId = z.string().regex(/^[a-f0-9]{24}$/);

export const EvaluationFacets = z.strictObject({
  simpleQuestions: z.array(Text).max(20),
  complexQuestions: z.array(Text).max(20),
  context: Text,
  scope: Text,
});
export type EvaluationFacets = z.infer<typeof EvaluationFacets>;

export const EvaluationParagraph = z.strictObject({
  id: Id,
  document: Id,
  title: z.string().max(1_000),
  position: z.number().int().min(0),
  text: Text,
  /** Absent: the server's enrichment makes them. */
  facets: EvaluationFacets.nullish(),
});
export type EvaluationParagraph = z.infer<typeof EvaluationParagraph>;

const charactersOf = ({ text, facets }: EvaluationParagraph): number =>
  [text, ...(facets ? [...facets.simpleQuestions, ...facets.complexQuestions, facets.context, facets.scope] : [])]
    .map(({ length }) => length)
    .reduce((sum, length) => sum + length, 0);

export const EvaluationParagraphs = z
  .array(EvaluationParagraph)
  .min(1)
  .max(EVALUATION_LIMITS.paragraphsABatch)
  .refine(
    (batch) => batch.reduce((sum, one) => sum + charactersOf(one), 0) <= EVALUATION_LIMITS.batchCharacters,
    `should have at most ${EVALUATION_LIMITS.batchCharacters} characters together`,
  );

export const BeginEvaluation = z.strictObject({
  collections: z
    .array(EvaluationCollection)
    .min(1)
    .default([...EVALUATION_COLLECTIONS]),
});

/** What is asked of an evaluation. `timed`: each way searches for itself, so that its time is its own. */
export const AskEvaluation = z.strictObject({
  questions: z
    .array(z.strictObject({ id: Id, text: z.string().min(1).max(4_000) }))
    .min(1)
    .max(EVALUATION_LIMITS.questionsABatch),
  ways: z.array(EvaluationWay).min(1),
  /** Paragraphs per way. */
  first: z.number().int().min(1).max(100).default(100),
  timed: z.boolean().default(false),
  /** Composite's hits with their reasons, as many. */
  hits: z.number().int().min(0).max(20).default(0),
  /** Composite's candidates with their score on each leg, as weights are fitted on. */
  candidates: z.boolean().default(false),
});
export type AskEvaluation = z.infer<typeof AskEvaluation>;

export const EvaluationHit = z.object({
  paragraph: z.string(),
  score: z.number(),
  relevance: z.number(),
  why: z.array(LegMatch),
});
export type EvaluationHit = z.infer<typeof EvaluationHit>;

/** Language model calls and their tokens. */
export const ModelUsage = z.object({
  calls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

export const EvaluatedQuestion = z.object({
  id: z.string(),
  /** The ids of the paragraphs, best first; `ms`, encoding included, only where it was timed. */
  ways: z.partialRecord(
    EvaluationWay,
    z.object({
      ranked: z.array(z.string()),
      ms: z.number().nullable(),
      usage: ModelUsage.optional(),
      /** The language model gave nothing that the way could go by: the question stood alone. */
      unanswered: z.boolean().optional(),
    }),
  ),
  /** Of composite's best hit, and whether an answer would count it as found; absent where composite was not asked. */
  relevance: z.number().optional(),
  found: z.boolean().optional(),
  hits: z.array(EvaluationHit),
  candidates: z.array(z.object({ id: z.string(), scores: z.partialRecord(Leg, z.number()) })).optional(),
  /** What the legs count for by default for this question; with its candidates. */
  weights: z.record(Leg, z.number()).optional(),
});
export type EvaluatedQuestion = z.infer<typeof EvaluatedQuestion>;

/** How the running system is set: what a report has to name. */
export const EvaluationFacts = z.object({
  id: EvaluationId,
  encoder: z.string(),
  /** Hex SHA-256 of its vector of a fixed text: another where the model, or its arithmetic, is another. */
  encoderHash: z.string(),
  dimension: z.number().int(),
  weights: z.record(Leg, z.number()),
  /** How many of each leg's best become candidates. */
  perLeg: z.number().int(),
  /** From this relevance on, something is found. */
  found: z.number(),
  /** The ways that can be asked: `hyde` only where a language model is configured. */
  ways: z.array(EvaluationWay),
});
export type EvaluationFacts = z.infer<typeof EvaluationFacts>;
