import type { Unit } from './cut-windows.js';

/** Where a tokenizer never joins what stands on both sides. Both expressions are global. */
export interface Borders {
  word: RegExp;
  /** Parts of a word; each has at most 100 characters. */
  part: RegExp;
}

const LONG_WORD_TOKENS = 32;

/**
 * A text's words with their tokens; a word of more than 32 tokens (an address, a line of Chinese) in its parts. The
 * sum of the units is at least the tokens of the whole.
 */
export const unitsOf = (text: string, { word, part }: Borders, tokensOf: (piece: string) => number): Unit[] => {
  const known = new Map<string, number>();
  const count = (piece: string): number => {
    const tokens = known.get(piece) ?? tokensOf(piece);
    known.set(piece, tokens);
    return tokens;
  };
  return [...text.matchAll(word)].flatMap(({ 0: whole, index }) => {
    const unit = { start: index, end: index + whole.length, tokens: count(whole) };
    if (unit.tokens <= LONG_WORD_TOKENS) return [unit];
    return [...whole.matchAll(part)].map(({ 0: piece, index: at }) => ({
      start: index + at,
      end: index + at + piece.length,
      tokens: count(piece),
    }));
  });
};
