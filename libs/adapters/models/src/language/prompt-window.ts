import type { ChatPrompt, ReplyForm } from './chat-server.js';
import { ModelFailure } from './model-failure.js';

/** Room for the reply: a quarter of the window, and no more than this. */
const LONGEST_REPLY = 2_048;
/** What a server puts around the messages. */
const AROUND = 64;

/**
 * The first of the prompts, the longest first, that a window of so many tokens holds beside its reply; the first of
 * all where the window is not known. Throws a failure `long` where none fits.
 */
export const fittingPrompt = (
  prompts: ChatPrompt | readonly ChatPrompt[],
  window: number | undefined,
  server: string,
  form?: ReplyForm,
): ChatPrompt => {
  const room = window === undefined ? undefined : roomIn(window, form);
  let least = Infinity;
  for (const prompt of 'user' in prompts ? [prompts] : prompts) {
    if (room === undefined) return prompt;
    const tokens = promptTokens(prompt.system) + promptTokens(prompt.user);
    if (tokens <= room) return prompt;
    least = Math.min(least, tokens);
  }
  throw new ModelFailure(
    'long',
    `${server} has a window of ${window} tokens, too few for a text of about ${least} and its reply.`,
  );
};

const roomIn = (window: number, form: ReplyForm | undefined): number =>
  window - Math.min(LONGEST_REPLY, window / 4) - AROUND - (form ? promptTokens(JSON.stringify(form.schema)) : 0);

const RUNS = /[a-z]+|\d+|\p{Script=Latin}+|[\p{Script=Cyrillic}\p{Script=Greek}]+|\s+|\p{L}+|[^]/giu;

/**
 * About how many tokens a language model's tokenizer makes of a text, rather too many than too few: of plain letters one
 * for each three and a half, of digits and of other Latin, Cyrillic and Greek letters one for each two, of other scripts
 * three for each two, of spaces one where several stand together, of any other sign one.
 */
export const promptTokens = (text: string): number => {
  let tokens = 0;
  for (const [run] of text.matchAll(RUNS)) tokens += tokensOf(run);
  return tokens;
};

const tokensOf = (run: string): number => {
  if (/^[a-z]/i.test(run)) return Math.ceil(run.length / 3.5);
  if (/^\d/.test(run)) return Math.ceil(run.length / 2);
  if (/^\s/.test(run)) return run === ' ' ? 0 : 1;
  if (/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(run)) return Math.ceil(run.length / 2);
  if (/^\p{L}/u.test(run)) return Math.ceil(run.length * 1.5);
  return run.length;
};
