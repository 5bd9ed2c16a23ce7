import { createHash } from 'node:crypto';

/** A vector of a text's words, each hashed to a direction of its own: texts that share words are near each other. */
export const wordVector = (text: string, dimension: number): number[] => {
  const sum = Array.from({ length: dimension }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [text])
    directionOf(word, dimension).forEach((value, i) => (sum[i]! += value));
  return sum;
};

const directionOf = (word: string, dimension: number): number[] => {
  const bytes = createHash('shake256', { outputLength: dimension * 4 })
    .update(word)
    .digest();
  return Array.from({ length: dimension }, (_, i) => bytes.readInt32LE(i * 4) / 2 ** 31);
};
