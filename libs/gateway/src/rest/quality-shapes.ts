import { z } from 'zod';
import { CitationShape, FailureShape, HitShape, Missing } from './shapes.js';

const one = z.string().min(1);

export const SimilarQuery = z.strictObject({
  n: z.coerce.number().int().min(1).max(100).default(5).describe('How many paragraphs, at most 100.'),
});

export const SimilarShape = z.object({
  paragraphs: z.array(HitShape),
  notices: z.array(FailureShape),
  errors: Missing,
});

/** Of a paragraph, or of an answer with its sources. */
export const JudgeBody = z
  .strictObject({
    query: z.string().describe('The question.'),
    paragraph: one.optional().describe('The id of the paragraph to be graded.'),
    answer: z.string().optional().describe('The answer to be graded, instead of a paragraph.'),
    sources: z.array(one).optional().describe("Ids of the answer's paragraphs, 1 to 20."),
  })
  .refine(
    ({ paragraph, answer, sources }) => (paragraph === undefined) === (answer !== undefined && sources !== undefined),
    {
      message: 'should be a paragraph, or an answer with its sources',
      path: ['paragraph'],
    },
  );

export const JudgementShape = z.object({
  grade: z.number().int().describe('1 to 10.'),
  reason: z.string(),
  model: z.string().describe('A model\'s id, or "calibrated".'),
  notices: z.array(FailureShape),
});

export const SummaryBody = z.strictObject({
  filter: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('A SearchFilter of the GraphQL schema; all documents without.'),
  points: z.number().int().min(1).max(20).default(5),
});

export const SummaryShape = z.object({
  points: z.array(z.object({ text: z.string().describe('With citations as [n].'), citations: z.array(CitationShape) })),
  documents: z.number().int().describe('How many were read.'),
  model: z.string(),
  notices: z.array(FailureShape),
  errors: Missing,
});
