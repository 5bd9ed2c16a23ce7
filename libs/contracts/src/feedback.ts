import { z } from 'zod';
import { requestType } from './requests.js';

export const FeedbackVerdict = z.enum(['right', 'wrong']);
export type FeedbackVerdict = z.infer<typeof FeedbackVerdict>;

/** As an evaluation set, whose files `kind` names; or as pairs that an encoder can be trained on. */
export const FeedbackForm = z.enum(['set', 'pairs']);
export type FeedbackForm = z.infer<typeof FeedbackForm>;

/** A line of an export. Paragraphs may come again, with the next page too. */
export const FeedbackLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('paragraph'),
    id: z.string(),
    document: z.string(),
    title: z.string(),
    position: z.number().int(),
    text: z.string(),
  }),
  z.object({
    kind: z.literal('facets'), // of the paragraph of the same id; empty where it has none yet
    id: z.string(),
    simple_questions: z.array(z.string()),
    complex_questions: z.array(z.string()),
    context: z.string(),
    scope: z.string(),
  }),
  z.object({ kind: z.literal('query'), id: z.string(), text: z.string(), answers: z.array(z.string()) }),
  z.object({ kind: z.literal('qrel'), query: z.string(), paragraph: z.string(), grade: z.number().int() }),
  z.object({ kind: z.literal('pair'), question: z.string(), positive: z.string(), negatives: z.array(z.string()) }),
  z.object({ kind: z.literal('more'), after: z.string() }), // the last line, where there are more questions
]);
export type FeedbackLine = z.infer<typeof FeedbackLine>;

/** A page of a tenant's judged questions; for its admins, because it tells what everybody asked. */
export const exportFeedback = requestType({
  subject: 'retrieval.export-feedback',
  input: z.object({ as: FeedbackForm, after: z.string().optional() }),
  output: FeedbackLine,
  timeoutMs: 30_000,
});
