import type { RerankPassage, RerankScore } from '@postmaster/retrieval';
import { cutWindows } from '../encoders/cut-windows.js';
import { estimateTokens, PLAIN_BORDERS } from '../encoders/estimate-tokens.js';
import { unitsOf } from '../encoders/text-units.js';

/** Tokens that frame question and passage. */
const FRAME = 4;

export interface Windowed {
  /** Of question and passage together, as `estimateTokens` counts. */
  maxTokens: number;
  /** Windows that one call of `ask` takes. */
  perCall: number;
  ask(question: string, windows: readonly RerankPassage[]): Promise<readonly RerankScore[]>;
}

/**
 * A score for each passage: one that is too long is read in equal windows, and has what the best of them got (MaxP,
 * Dai and Callan, SIGIR 2019). Of a question that would take more than half of the tokens, the first part is asked.
 */
export const readInWindows = async (
  question: string,
  passages: readonly RerankPassage[],
  { maxTokens, perCall, ask }: Windowed,
): Promise<RerankScore[]> => {
  const [asked] = windowsOf(question, Math.floor(maxTokens / 2));
  const room = maxTokens - FRAME - estimateTokens(asked!);
  const windows = passages.map((passage) => windowsOf(passage.text, room).map((text) => ({ ...passage, text })));
  const all = windows.flat();
  const calls = Array.from({ length: Math.ceil(all.length / perCall) }, (_, call) =>
    ask(asked!, all.slice(call * perCall, (call + 1) * perCall)),
  );
  const scores = (await Promise.all(calls)).flat();
  let next = 0;
  return windows.map(({ length }) => bestOf(scores.slice(next, (next += length))));
};

const windowsOf = (text: string, most: number): string[] =>
  estimateTokens(text) <= most ? [text] : cutWindows(text, unitsOf(text, PLAIN_BORDERS, estimateTokens), most);

const bestOf = (scores: readonly RerankScore[]): RerankScore =>
  scores.reduce((best, one) => (one.score > best.score ? one : best));
