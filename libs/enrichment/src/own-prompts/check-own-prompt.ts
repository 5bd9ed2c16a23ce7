import { CodedError } from '@postmaster/contracts';
import { z } from 'zod';
import { type PlaceholderRule, placeholderFaults } from '../prompt/placeholders.js';
import { PROMPT_LANGUAGES, PROMPT_SECTIONS, PROMPT_TASKS } from '../prompt/prompt-tasks.js';

/** Characters. With these, a prompt of a tenant's own still leaves a window of 8,192 tokens room for a paragraph. */
export const LONGEST = { instructions: 12_000, rules: 4_000 } as const;

const Given = z.strictObject({
  task: z.enum(PROMPT_TASKS),
  language: z.enum(PROMPT_LANGUAGES),
  /** Of both: absent stays as it is, null goes back to the shipped one. */
  instructions: z.string().trim().min(1).max(LONGEST.instructions).nullable().optional(),
  rules: z.string().trim().min(1).max(LONGEST.rules).nullable().optional(),
});
export type GivenPrompt = z.output<typeof Given>;

/** What a tenant gives of a prompt. Throws INPUT_INVALID, and PROMPT_REFUSED for placeholders. */
export const checkOwnPrompt = (given: unknown): GivenPrompt => {
  const read = Given.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') || 'prompt';
    throw new CodedError('INPUT_INVALID', `"${field}": ${issue?.message ?? 'is wrong'}.`, { field });
  }
  const { task, instructions, rules } = read.data;
  if (instructions) refuseFaults('instructions', instructions, PROMPT_SECTIONS[task].instructions ?? { needs: [] });
  if (rules) refuseFaults('rules', rules, { needs: [] });
  return read.data;
};

const refuseFaults = (field: string, text: string, rule: PlaceholderRule): void => {
  const faults = placeholderFaults(text, rule);
  if (faults.length === 0) return;
  const needed = rule.needs.map((name) => `{{${name}}}`).join(' and ');
  throw new CodedError('PROMPT_REFUSED', `The ${field} can't be used: ${faults.join('; ')}.`, {
    field,
    next: needed ? `Write ${needed} where the texts that they stand for belong.` : 'Write the rules as plain text.',
  });
};
