import { describe, expect, it } from 'vitest';
import { pointPayload } from '@postmaster/testing';
import { FreshPoints } from './fresh-points.js';
import { best, lexicalFresh, nearestFresh } from './search-fresh.js';
import { counted } from './stored-point.js';
import { TermStatistics } from './term-statistics.js';

const point = (id: string, text: string, ...simple: [number, number][]) =>
  counted({
    id,
    revision: 1,
    payload: pointPayload({ text }),
    vectors: {
      paragraph: [Float32Array.of(3, 4)],
      simple_questions: simple.map((vector) => Float32Array.from(vector)),
      complex_questions: [],
      context: [],
      scope: [],
    },
  });
const freshOf = (...points: ReturnType<typeof point>[]): FreshPoints => {
  const fresh = new FreshPoints();
  for (const after of points) fresh.set({ id: after.id, after });
  return fresh;
};
const any = (): boolean => true;
const asked = Float32Array.of(2, 0);

describe('fresh points', () => {
  it('score by cosine whatever the lengths of the vectors, the best of several counting', () => {
    const fresh = freshOf(
      point('p', 'a', [0, 1], [6, 8]),
      point('q', 'b', [5, 0]),
      point('r', 'c'),
      point('s', 'd', [0, 0]),
    );
    const list = nearestFresh(fresh, 'simple_questions', asked, any, 5);
    expect(list.map(({ id }) => id)).toEqual(['q', 'p', 's']);
    [1, 0.6, 0].forEach((score, i) => expect(list[i]?.score).toBeCloseTo(score, 6));
    expect(nearestFresh(fresh, 'simple_questions', asked, ({ text }) => text !== 'b', 1)).toMatchObject([{ id: 'p' }]);
  });

  it('score words as the statistics do, and leave out what no word matches', () => {
    const points = [point('p', 'red fox'), point('q', 'red red hen'), point('r', 'cow')];
    const statistics = new TermStatistics();
    for (const { terms } of points) statistics.add(terms);
    const bm25 = statistics.bm25([{ term: 'red', weight: 1 }]);
    const list = lexicalFresh(freshOf(...points), bm25, any, 5);
    expect(list.map(({ id }) => id)).toEqual(['q', 'p']);
    for (const { id, score } of list)
      expect(score).toBe(bm25(points.find((one) => one.id === id)?.terms ?? new Uint32Array()));
  });

  it('keep a vector of their own, and the same one while it does not change', () => {
    const given = point('p', 'a', [1, 0]);
    const fresh = freshOf(given);
    given.vectors.paragraph[0]?.fill(0);
    const held = fresh.get('p');
    expect(held?.vectors.paragraph).toEqual([Float32Array.of(3, 4)]);
    if (held) fresh.set({ id: 'p', after: { ...held, revision: 2 } });
    expect(fresh.get('p')?.vectors.paragraph[0]).toBe(held?.vectors.paragraph[0]);
  });

  it('count the vectors that they hold', () => {
    const fresh = freshOf(point('p', 'a', [1, 0], [0, 1]), point('q', 'b'));
    expect(fresh.vectors).toBe(4);
    fresh.set({ id: 'p', after: point('p', 'a') });
    fresh.set({ id: 'q', after: undefined });
    expect([fresh.vectors, fresh.size, fresh.removed()]).toEqual([1, 2, ['q']]);
  });

  it('of equal scores give the lower ids first, as many as are asked for', () => {
    const found = ['d', 'b', 'c', 'a'].map((id) => ({ id, score: id === 'c' ? 2 : 1 }));
    expect(best(found, 3).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(best([], 3)).toEqual([]);
  });
});
