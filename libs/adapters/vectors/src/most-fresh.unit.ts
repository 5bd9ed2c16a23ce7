import { describe, expect, it } from 'vitest';
import { mostFresh } from './most-fresh.js';

const VECTORS_EACH = 8;

/** Rows that compactions write while a table grows in one go. */
const written = (rows: number): number => {
  let sum = 0;
  for (let total = 0; total < rows;) {
    total = Math.min(rows, total + mostFresh(total).vectors / VECTORS_EACH);
    sum += total;
  }
  return sum;
};

describe('how much may be fresh', () => {
  it('is the same of every table that is small', () => {
    expect(mostFresh(0)).toEqual({ points: 6000, vectors: 32_000, journal: 128 * 1024 * 1024 });
    expect(mostFresh(16_000)).toEqual(mostFresh(0));
  });

  it('is about a quarter of a larger one', () => {
    for (const total of [20_000, 40_000, 64_000]) expect(mostFresh(total).vectors / VECTORS_EACH).toBe(total / 4);
  });

  it('has an end', () => expect(mostFresh(1_000_000)).toEqual(mostFresh(64_000)));

  it.each([10_000, 30_000, 100_000])('has a table that grows to %i rows written at most six times', (rows) => {
    expect(written(rows)).toBeLessThanOrEqual(6 * rows);
  });
});
