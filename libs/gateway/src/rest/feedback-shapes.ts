import { FeedbackForm } from '@postmaster/contracts';
import { z } from 'zod';

export const FeedbackBody = z
  .strictObject({
    query: z.string().describe('The question as it was asked.'),
    verdict: z.enum(['RIGHT', 'WRONG']),
    paragraph: z.string().optional().describe('A hit, by the id of its paragraph.'),
    answer: z
      .strictObject({
        text: z.string(),
        citations: z.array(z.string()).optional().describe('Ids of the paragraphs that it cites.'),
      })
      .optional(),
    note: z.string().optional(),
  })
  .describe('Either `paragraph` or `answer` is judged.');

export const FeedbackShape = z.object({
  id: z.string(),
  query: z.string(),
  verdict: z.enum(['RIGHT', 'WRONG']),
  note: z.string().nullable(),
  givenAt: z.string(),
});

export const FeedbackExportQuery = z.strictObject({
  as: FeedbackForm.default('set').describe(
    'A set for `postmaster evaluate`, or pairs (a question, a right paragraph, the wrong ones) to train an encoder on.',
  ),
});
