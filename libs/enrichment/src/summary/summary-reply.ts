import { z } from 'zod';

const MOST_POINTS = 12;
const LONGEST_POINT = 500;
const LONGEST_PARAGRAPH = 2_500;

const Shape = z.object({ points: z.array(z.string()), paragraph: z.string() });

/** Of the shape alone, for servers that hold a model to a JSON Schema: every key required, no other allowed. */
export const SUMMARY_REPLY_SCHEMA: Record<string, unknown> = z.toJSONSchema(Shape);
delete SUMMARY_REPLY_SCHEMA.$schema; // not every server takes it

const text = (longest: number) =>
  z
    .string()
    .transform((written) => written.replace(/\s+/gu, ' ').trim())
    .pipe(z.string().min(1).max(longest));

/** A model's reply to the summary prompt, each text on one line. Refused: another shape, no point, an empty or endless text. */
export const SummaryReply = Shape.pipe(
  z.object({
    points: z
      .array(z.string())
      .transform((all) => all.filter((one) => one.trim() !== '').slice(0, MOST_POINTS))
      .pipe(z.array(text(LONGEST_POINT)).min(1)),
    paragraph: text(LONGEST_PARAGRAPH),
  }),
);
export type SummaryReply = z.infer<typeof SummaryReply>;
