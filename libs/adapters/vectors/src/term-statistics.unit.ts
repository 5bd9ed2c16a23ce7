import { describe, expect, it } from 'vitest';
import { termHash } from './lexical-terms.js';
import { TermStatistics } from './term-statistics.js';

const text = (words: string): Uint32Array => Uint32Array.from(words.split(' '), termHash).sort();
const query = (words: string, weight = 1) => words.split(' ').map((term) => ({ term, weight }));

describe('term statistics', () => {
  it('score BM25 with k1 1.2 and b .75', () => {
    const statistics = new TermStatistics();
    for (const words of ['red fox', 'red red hen', 'a cow in a field']) statistics.add(text(words));
    const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    const expected = (idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / (10 / 3)));
    expect(statistics.bm25(query('red'))(text('red red hen'))).toBeCloseTo(expected, 12);
  });

  it('score each of many terms wherever it stands, by its weight', () => {
    const statistics = new TermStatistics();
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`);
    for (const some of [words, words.slice(20), ['other']]) statistics.add(text(some.join(' ')));
    const whole = text(words.join(' '));
    const alone = words.map((word) => statistics.bm25(query(word))(whole));
    const sum = alone.reduce((all, one) => all + one);
    expect(Math.min(...alone)).toBeGreaterThan(0);
    expect(statistics.bm25(query(`${words.join(' ')} nowhere`))(whole)).toBeCloseTo(sum, 10);
    expect(statistics.bm25(query(words.join(' '), 0.5))(whole)).toBeCloseTo(sum / 2, 10);
  });

  it('score 0 where no term matches', () => {
    const statistics = new TermStatistics();
    statistics.add(text('red fox'));
    expect(statistics.bm25(query('hen'))(text('red fox'))).toBe(0);
    expect(statistics.bm25([])(text('red fox'))).toBe(0);
  });

  it('are after a removal what they were before the addition', () => {
    const statistics = new TermStatistics();
    statistics.add(text('red fox'));
    const before = statistics.bm25(query('red fox'))(text('red fox'));
    statistics.add(text('red red hen'));
    expect(statistics.holding(termHash('red'))).toBe(2);
    statistics.remove(text('red red hen'));
    expect(statistics.bm25(query('red fox'))(text('red fox'))).toBe(before);
    expect([statistics.total, statistics.holding(termHash('hen'))]).toEqual([1, 0]);
  });
});
