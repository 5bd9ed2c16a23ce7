import { z } from 'zod';

/** Of a kind; what is above this is not even judged. */
const MOST_QUESTIONS = 12;
const LONGEST_TEXT = 4000;

const Shape = z.object({
  simple_questions: z.array(z.string()),
  complex_questions: z.array(z.string()),
  context: z.string(),
  scope: z.string(),
});

/** Of the shape alone, for servers that hold a model to a JSON Schema: every key required, no other allowed. */
export const FACET_REPLY_SCHEMA: Record<string, unknown> = z.toJSONSchema(Shape);
delete FACET_REPLY_SCHEMA.$schema; // not every server takes it

const text = z.string().trim().min(1).max(LONGEST_TEXT);
const questions = z
  .array(z.string().trim().max(LONGEST_TEXT))
  .transform((all) => distinct(all).slice(0, MOST_QUESTIONS))
  .pipe(z.array(z.string()).min(1));

/** In one pass: a model may well write ten thousand. */
const distinct = (all: readonly string[]): string[] => {
  const byWords = new Map<string, string>();
  for (const one of all) if (one && !byWords.has(one.toLowerCase())) byWords.set(one.toLowerCase(), one);
  return [...byWords.values()];
};

/**
 * A model's reply to the facet prompt, tidied: texts trimmed, repeated questions dropped, those above the most
 * that is ever asked for dropped. Refused: another shape, an empty context or scope, no question at all of a kind, endless text.
 */
export const FacetReplyText = Shape.pipe(
  z.object({
    simple_questions: questions,
    complex_questions: questions,
    context: text,
    scope: text,
  }),
);
export type FacetReplyText = z.infer<typeof FacetReplyText>;

const Entry = Shape.extend({ number: z.number() });

/** Of a reply about several paragraphs. */
export const FACET_REPLIES_SCHEMA: Record<string, unknown> = z.toJSONSchema(z.object({ entries: z.array(Entry) }));
delete FACET_REPLIES_SCHEMA.$schema;

/**
 * A reply about so many paragraphs, in their order; undefined of one that it says nothing of, says something twice of, or
 * in another form. Refused: one that has no paragraph's facets.
 */
export const facetRepliesText = (count: number) =>
  z
    .object({ entries: z.array(z.unknown()) })
    .transform(({ entries }) =>
      Array.from({ length: count }, (_, at): FacetReplyText | undefined => {
        const own = entries.filter((entry) => NumberOf.safeParse(entry).data?.number === at + 1);
        return own.length === 1 ? FacetReplyText.safeParse(own[0]).data : undefined;
      }),
    )
    .refine((replies) => replies.some((reply) => reply !== undefined), 'should have the facets of a paragraph');

const NumberOf = z.object({ number: z.number() });
