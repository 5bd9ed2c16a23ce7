import type { Unit } from './cut-windows.js';

/** What the model's tokenizer takes for space: control characters, \v and \f among them, it drops instead. */
const WORD = /[^\t\n\r\p{Zs}\u2028\u2029]+/gu;
/** Where the tokenizer parts a word anyway: Chinese characters, punctuation; its longest run of others is 100. */
const PART =
  /[\p{Script=Han}\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]|[^\p{Script=Han}\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]{1,100}/gu;
const LONG_WORD_TOKENS = 32;

/**
 * A text's words with their tokens; a word of more than 32 tokens (an address, a line of Chinese) in its parts.
 * BERT's tokenizer never joins across these borders, so the sum of the units is at least the tokens of the whole.
 */
export const unitsOf = (text: string, tokensOf: (piece: string) => number): Unit[] => {
  const known = new Map<string, number>();
  const count = (piece: string): number => {
    const tokens = known.get(piece) ?? tokensOf(piece);
    known.set(piece, tokens);
    return tokens;
  };
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const whole = { start: index, end: index + word.length, tokens: count(word) };
    if (whole.tokens <= LONG_WORD_TOKENS) return [whole];
    return [...word.matchAll(PART)].map(({ 0: part, index: at }) => ({
      start: index + at,
      end: index + at + part.length,
      tokens: count(part),
    }));
  });
};
