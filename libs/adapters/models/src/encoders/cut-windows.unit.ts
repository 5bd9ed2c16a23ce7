import { describe, expect, it } from 'vitest';
import { cutWindows, type Unit } from './cut-windows.js';

/** Words "a3" cost as many tokens as they say. */
const unitsOf = (text: string): Unit[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    tokens: Number(word.slice(1)),
  }));
const cut = (text: string, capacity: number): string[] => cutWindows(text, unitsOf(text), capacity);
const costs = (pieces: readonly string[]): number[] =>
  pieces.map((piece) => unitsOf(piece).reduce((sum, { tokens }) => sum + tokens, 0));

/** Costs from a linear congruential generator, so that every run sees the same. */
const randomTexts = (count: number): string[] => {
  let state = 7;
  const next = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  return Array.from({ length: count }, () => Array.from({ length: 1 + next(60) }, () => `w${1 + next(10)}`).join(' '));
};

const fewest = (text: string, capacity: number): number => {
  let pieces = 1;
  let filled = 0;
  for (const { tokens } of unitsOf(text)) {
    if (filled + tokens > capacity) [pieces, filled] = [pieces + 1, 0];
    filled += tokens;
  }
  return pieces;
};

describe('cutting a text into windows', () => {
  it('leaves a text that fits as it is, space and all', () => {
    expect(cut('  w2 w3\n', 5)).toEqual(['  w2 w3\n']);
    expect(cut('', 5)).toEqual(['']);
  });

  it('makes the pieces equal, not full', () => {
    expect(cut('w2 w2 w2 w2 w2 w2', 10)).toEqual(['w2 w2 w2', 'w2 w2 w2']);
    expect(costs(cut('w1 '.repeat(21), 10))).toEqual([7, 7, 7]);
  });

  it('keeps the space within a piece and drops it at the cut', () => {
    expect(cut('w4\n\nw4   w4 w4', 8)).toEqual(['w4\n\nw4', 'w4 w4']);
  });

  it('takes an unequal cut where an equal one would need another piece', () => {
    expect(costs(cut('w9 w1 w5 w5 w5 w4', 10))).toEqual([10, 10, 9]);
  });

  it.each([10, 13, 24])('gives the fewest pieces that fit %i tokens, with every word once', (capacity) => {
    for (const text of randomTexts(200)) {
      const pieces = cut(text, capacity);
      expect(Math.max(...costs(pieces))).toBeLessThanOrEqual(capacity);
      expect(pieces).toHaveLength(fewest(text, capacity));
      expect(pieces.join(' ')).toBe(text);
    }
  });
});
