import type { Verdict } from '@postmaster/contracts';
import { z } from 'zod';

const LONGEST_REASON = 400;

/** The keys in the order in which a model writes them: the reason comes before what it is a reason for. */
const Shape = z.object({
  verdicts: z.array(
    z.object({
      number: z.number(),
      reason: z.string(),
      relevant: z.boolean(),
      grade: z.literal([0, 1, 2, 3]),
    }),
  ),
});

const schema: Record<string, unknown> = z.toJSONSchema(Shape);
delete schema.$schema; // not every server takes it

/** For servers that hold a model to a JSON Schema: every key required, no other allowed. */
export const JUDGE_FORM = { name: 'verdicts', schema };

/** A reply with a verdict for each of `count` passages, each once, as verdicts in their order; anything else is refused. */
export const judgeReply = (count: number) =>
  Shape.transform(({ verdicts }, context): Verdict[] => {
    const sorted = [...verdicts].sort((a, b) => a.number - b.number);
    if (sorted.length === count && sorted.every(({ number }, place) => number === place + 1))
      return sorted.map(({ reason, relevant, grade }) => ({ reason: tidied(reason), relevant, grade }));
    context.addIssue(`should have the numbers 1 to ${count}, and has ${sorted.map(({ number }) => number).join(', ')}`);
    return z.NEVER;
  });

/** A line for people. What a document talks a model into writing is at least short and printable. */
const tidied = (reason: string): string => {
  const line = reason.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > LONGEST_REASON ? `${characters.slice(0, LONGEST_REASON).join('')}…` : line;
};
