import { cutWindows } from '../encoders/cut-windows.js';
import { estimateTokens, PLAIN_BORDERS } from '../encoders/estimate-tokens.js';
import { unitsOf } from '../encoders/text-units.js';

/** Tokens that frame question and passage. */
const FRAME = 4;

/**
 * Scores texts through `ask`, which takes pieces of what is left of `maxTokens` beside the question: a text that is
 * longer is read in equal windows, and has the score of the best (MaxP, Dai and Callan, SIGIR 2019). A question leaves
 * at least half of the tokens to the text.
 */
export const readInWindows = async (
  question: string,
  texts: readonly string[],
  maxTokens: number,
  ask: (question: string, pieces: readonly string[]) => Promise<readonly number[]>,
): Promise<number[]> => {
  const [asked] = windowsOf(question, Math.floor(maxTokens / 2));
  const windows = texts.map((text) => windowsOf(text, maxTokens - FRAME - estimateTokens(asked!)));
  const scores = await ask(asked!, windows.flat());
  let next = 0;
  return windows.map(({ length }) => Math.max(...scores.slice(next, (next += length))));
};

const windowsOf = (text: string, most: number): string[] =>
  estimateTokens(text) <= most ? [text] : cutWindows(text, unitsOf(text, PLAIN_BORDERS, estimateTokens), most);
