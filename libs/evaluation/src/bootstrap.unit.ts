import { describe, expect, it } from 'vitest';
import { bootstrapMean, quantile } from './bootstrap.js';
import { seededRandom, shuffled } from './seeded-random.js';

describe('the bootstrap of a mean', () => {
  it('gives the quantiles of a worked example: every resample of two differences', () => {
    // drawn in turn: 0 0, 0 1, 1 0, 1 1, whose means are 0, ½, ½, 1
    const draws = [0, 0, 0, 0.5, 0.5, 0, 0.5, 0.5].values();
    const { mean, low, high } = bootstrapMean([0, 1], () => draws.next().value!, 4);
    expect(mean).toBe(0.5);
    expect(low).toBeCloseTo(0.0375, 12); // .075 of the way from 0 to ½
    expect(high).toBeCloseTo(0.9625, 12);
  });

  it('is the difference itself where all are equal, and nothing where there are none', () => {
    expect(bootstrapMean([0.25, 0.25, 0.25], seededRandom(1))).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
    expect(bootstrapMean([], seededRandom(1))).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it('is near the interval of the normal distribution for many questions', () => {
    const random = seededRandom(7);
    const differences = Array.from({ length: 100 }, () => random());
    const { mean, low, high } = bootstrapMean(differences, seededRandom(8), 2_000);
    const deviation = Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 100);
    expect(low).toBeCloseTo(mean - (1.96 * deviation) / 10, 2);
    expect(high).toBeCloseTo(mean + (1.96 * deviation) / 10, 2);
  });

  it.each([1, 2, 3, 4, 5])(
    'is ordered, within the differences, the same for a seed, and turns with the sign (%i)',
    (seed) => {
      const random = seededRandom(seed);
      const differences = Array.from({ length: 1 + Math.floor(random() * 30) }, () => random() * 2 - 1);
      const one = bootstrapMean(differences, seededRandom(seed), 500);
      expect(one.low).toBeLessThanOrEqual(one.high);
      expect(one.low).toBeGreaterThanOrEqual(Math.min(...differences) - 1e-12);
      expect(one.high).toBeLessThanOrEqual(Math.max(...differences) + 1e-12);
      expect(bootstrapMean(differences, seededRandom(seed), 500)).toEqual(one);
      const turned = bootstrapMean(
        differences.map((difference) => -difference),
        seededRandom(seed),
        500,
      );
      expect(turned.low).toBeCloseTo(-one.high, 12);
    },
  );
});

describe('quantile', () => {
  it('lies between its two neighbours', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5], 0.95)).toBeCloseTo(4.8, 12);
    expect(quantile([9], 0.95)).toBe(9);
  });
});

describe('shuffled', () => {
  it('keeps every item, in the same order for the same seed', () => {
    const items = Array.from({ length: 50 }, (_, at) => at);
    const order = shuffled(items, seededRandom(3));
    expect([...order].sort((a, b) => a - b)).toEqual(items);
    expect(order).not.toEqual(items);
    expect(shuffled(items, seededRandom(3))).toEqual(order);
  });
});
