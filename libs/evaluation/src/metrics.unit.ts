import { describe, expect, it } from 'vitest';
import { hitAt1, meanScores, METRIC_NAMES, ndcgAt, recallAt, reciprocalRankAt, scoresOf } from './metrics.js';
import { seededRandom, shuffled } from './seeded-random.js';

const judged = new Map([
  ['a', 1],
  ['b', 1],
  ['z', 0],
]);

describe('the metrics', () => {
  it('count a hit only where the first result is relevant', () => {
    expect(hitAt1(['b', 'z'], judged)).toBe(1);
    expect(hitAt1(['z', 'a'], judged)).toBe(0);
    expect(hitAt1([], judged)).toBe(0);
  });

  it('take recall over all that is relevant', () => {
    expect(recallAt(2, ['z', 'b', 'a'], judged)).toBe(1 / 2);
    expect(recallAt(3, ['z', 'b', 'a'], judged)).toBe(1);
  });

  it('take the reciprocal rank of the first relevant result within k', () => {
    expect(reciprocalRankAt(10, ['x', 'y', 'a', 'b'], judged)).toBe(1 / 3);
    expect(reciprocalRankAt(2, ['x', 'y', 'a'], judged)).toBe(0);
  });

  it('give nDCG of a worked example: grades 3 2 3 0 1 2 in that order', () => {
    const grades = new Map(Object.entries({ d1: 3, d2: 2, d3: 3, d4: 0, d5: 1, d6: 2 }));
    // DCG 7/1 + 3/1.58496 + 7/2 + 0 + 1/2.58496 + 3/2.80735 = 13.84826; ideal 3 3 2 2 1 0: 14.59539
    expect(ndcgAt(10, ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'], grades)).toBeCloseTo(13.84826 / 14.59539, 5);
    expect(ndcgAt(10, ['d1', 'd3', 'd2', 'd6', 'd5'], grades)).toBeCloseTo(1, 12);
  });

  it('give nDCG 1/log2(3) to one right paragraph in the second place', () => {
    expect(ndcgAt(10, ['x', 'a'], new Map([['a', 1]]))).toBeCloseTo(0.63093, 5);
  });

  it('are averaged over the questions', () => {
    const one = new Map([['a', 1]]);
    const scores = [['a'], ['x', 'a'], ['x']].map((ranked) => scoresOf(ranked, one));
    expect(meanScores(scores)).toEqual({
      'hit@1': 1 / 3,
      'recall@5': 2 / 3,
      'recall@20': 2 / 3,
      'mrr@10': 1 / 2,
      'ndcg@10': (1 + 1 / Math.log2(3)) / 3,
    });
    expect(meanScores([])['hit@1']).toBe(0);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'lie in 0…1, are 1 for the best order, and never fall when a right paragraph moves up (%i)',
    (seed) => {
      const random = seededRandom(seed);
      const ids = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, at) => `p${at}`);
      const grades = new Map(ids.map((id) => [id, Math.floor(random() * 4)]));
      const ranked = shuffled([...ids, 'x', 'y', 'z'], random);
      const before = scoresOf(ranked, grades);
      for (const metric of METRIC_NAMES) expect(before[metric] >= 0 && before[metric] <= 1 + 1e-12).toBe(true);
      const best = [...ids].sort((a, b) => grades.get(b)! - grades.get(a)!);
      const anyRight = [...grades.values()].some((grade) => grade > 0);
      expect(scoresOf(best, grades)['ndcg@10']).toBeCloseTo(anyRight ? 1 : 0, 12);
      const at = 1 + Math.floor(random() * (ranked.length - 1));
      const gradeOf = (id: string | undefined): number => grades.get(id ?? '') ?? 0;
      if (gradeOf(ranked[at]) <= gradeOf(ranked[at - 1])) return;
      [ranked[at - 1], ranked[at]] = [ranked[at]!, ranked[at - 1]!];
      const after = scoresOf(ranked, grades);
      for (const metric of METRIC_NAMES) expect(after[metric]).toBeGreaterThanOrEqual(before[metric] - 1e-12);
    },
  );
});
