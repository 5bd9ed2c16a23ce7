import { z } from 'zod';
import { EVALUATION_LIMITS, EvaluationId } from './evaluation.js';
import { requestType } from './requests.js';

/** Of one question. */
export const MOST_ENTITY_PARAGRAPHS = 200;

/**
 * The paragraphs that name what a question names, or what stands close beside it, best first; of an evaluation's graph
 * where that is given. Scores are 0…1 within one question. Nothing where the question names nothing that is known.
 */
export const entityParagraphs = requestType({
  subject: 'enrichment.entity-paragraphs',
  input: z.object({
    query: z.string().min(1).max(10_000),
    graph: EvaluationId.optional(),
    most: z.number().int().min(1).max(MOST_ENTITY_PARAGRAPHS),
  }),
  output: z.object({
    paragraphs: z.array(
      z.object({
        id: z.string(),
        score: z.number().min(0).max(1),
        names: z.array(z.string()), // the entities that gave the score, what gave most first
      }),
    ),
  }),
  timeoutMs: 1_500,
});

/** Finds what an evaluation's paragraphs name, in a graph of its own, which goes some hours later. */
export const holdEntities = requestType({
  subject: 'enrichment.hold-entities',
  input: z.object({
    graph: EvaluationId,
    paragraphs: z
      .array(z.object({ id: z.string(), document: z.string(), text: z.string() }))
      .max(EVALUATION_LIMITS.paragraphsABatch),
  }),
  output: z.object({ held: z.number().int() }),
  timeoutMs: 30_000,
});
