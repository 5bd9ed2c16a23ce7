import { z } from 'zod';
import { Failure } from './failure.js';
import { HitParagraph, Notice, QueryPlan, SearchHit } from './search.js';

export const AnswerRequest = z.object({
  query: z.string(), // its length and content are checked by retrieval: QUERY_EMPTY, QUERY_TOO_LONG
  first: z.number().nullish(), // 1…100, 5 where absent; else INPUT_INVALID
  filter: z.unknown().optional(), // a SearchFilter; retrieval answers FILTER_INVALID
  options: z.unknown().optional(), // SearchOptions; retrieval answers INPUT_INVALID
});
export type AnswerRequest = z.infer<typeof AnswerRequest>;

/** [marker] in the answer's text stands for this paragraph. */
export const Citation = z.object({
  marker: z.number().int().positive(),
  paragraph: HitParagraph,
  quote: z.string().nullable(), // the source's sentence that supports the citing one best
  quoteStart: z.number().int().nullable(), // code points within the paragraph's text
  quoteEnd: z.number().int().nullable(), // past the last one
});
export type Citation = z.infer<typeof Citation>;

/**
 * An answer as it comes: `hits` once, then `text` and `citation` in any number (a citation comes once per marker,
 * with the first text that carries it), then `done`. `refused` instead of, or after, any of them ends it.
 * Text that was let out is never taken back.
 */
export const AnswerEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hits'),
    hits: z.array(SearchHit),
    plan: QueryPlan.optional(), // absent from a service of an older version
    notices: z.array(Notice),
  }),
  z.object({ type: z.literal('text'), delta: z.string() }),
  z.object({ type: z.literal('citation'), citation: Citation }),
  z.object({
    type: z.literal('done'),
    found: z.boolean(),
    model: z.string(),
    notices: z.array(Notice),
    cached: z.boolean().optional(), // it was made for an earlier question; not unless told
  }),
  Failure.extend({ type: z.literal('refused') }),
]);
export type AnswerEvent = z.infer<typeof AnswerEvent>;
