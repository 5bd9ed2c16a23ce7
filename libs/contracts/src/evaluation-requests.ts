import { z } from 'zod';
import {
  AskEvaluation,
  BeginEvaluation,
  EvaluatedQuestion,
  EvaluationCollection,
  EvaluationFacets,
  EvaluationFacts,
  EvaluationId,
  EvaluationParagraph,
  EvaluationParagraphs,
  ModelUsage,
} from './evaluation.js';
import { Facets } from './facets.js';
import { TenantId } from './ids.js';
import { requestType } from './requests.js';

/** A place of points beside those that serve, for one tenant. Throws CONFLICT where it has too many. */
export const openEvaluation = requestType({
  subject: 'embedding.open-evaluation',
  input: BeginEvaluation,
  output: EvaluationFacts.pick({ id: true, encoder: true, encoderHash: true, dimension: true }),
  timeoutMs: 5_000,
});

export const fillEvaluation = requestType({
  subject: 'embedding.fill-evaluation',
  input: z.object({ id: EvaluationId, paragraphs: z.array(EvaluationParagraph.extend({ facets: EvaluationFacets })) }),
  output: z.object({ paragraphs: z.number().int() }),
  timeoutMs: 120_000,
});

/** Where an evaluation's points are: the tenant that they are stored under, and an index per collection. */
export const findEvaluation = requestType({
  subject: 'embedding.find-evaluation',
  input: z.object({ id: EvaluationId }),
  output: z.object({
    tenant: TenantId,
    indexes: z.partialRecord(EvaluationCollection, z.string()),
    paragraphs: z.number().int(),
  }),
  timeoutMs: 5_000,
});

export const dropEvaluation = requestType({
  subject: 'embedding.drop-evaluation',
  input: z.object({ id: EvaluationId }),
  output: z.object({ dropped: z.literal(true) }),
  timeoutMs: 30_000,
});

/** The facets of one paragraph, made at once and kept nowhere. */
export const makeFacets = requestType({
  subject: 'enrichment.make-facets',
  input: z.object({
    title: z.string(),
    before: z.string(),
    text: z.string().min(1),
    after: z.string(),
  }),
  output: z.object({ facets: Facets, usage: ModelUsage }),
  timeoutMs: 120_000,
});

export const beginEvaluation = requestType({
  subject: 'retrieval.begin-evaluation',
  input: BeginEvaluation,
  output: EvaluationFacts,
  timeoutMs: 10_000,
});

/** Puts a batch of paragraphs in, their facets made first where they have none. */
export const addEvaluationParagraphs = requestType({
  subject: 'retrieval.add-evaluation-paragraphs',
  input: z.object({ id: EvaluationId, paragraphs: EvaluationParagraphs }),
  output: z.object({ paragraphs: z.number().int(), usage: ModelUsage }),
  timeoutMs: 240_000,
});

/** Each question's answer as it comes. */
export const askEvaluation = requestType({
  subject: 'retrieval.ask-evaluation',
  input: AskEvaluation.extend({ id: EvaluationId }),
  output: EvaluatedQuestion,
  timeoutMs: 120_000,
});
