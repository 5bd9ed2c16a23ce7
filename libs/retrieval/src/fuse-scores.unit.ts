import { describe, expect, it } from 'vitest';
import { FUSIONS, LEGS } from '@postmaster/contracts';
import { type Scorable, fuseScores } from './fuse-scores.js';

/** Numbers of 0…1 that are the same each run (mulberry32). */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const made = (random: () => number, size: number, share = 0.7): Scorable[] =>
  Array.from({ length: size }, (_, i) => {
    const scores: Scorable['scores'] = { paragraph: random() * 2 - 1, lexical: random() < 0.4 ? 0 : random() * 30 };
    for (const leg of ['simple_questions', 'complex_questions', 'context', 'scope'] as const)
      if (random() < share) scores[leg] = Math.round((random() * 2 - 1) * 20) / 20; // with ties
    return { id: `p${String(i).padStart(3, '0')}`, scores };
  });

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('fuseScores', () => {
  it('scales each leg between its least and greatest score and takes the weighted mean', () => {
    const [first, second, third] = fuseScores([
      { id: 'a', scores: { paragraph: 0.8, lexical: 0 } },
      { id: 'b', scores: { paragraph: 0.4, lexical: 10 } },
      { id: 'c', scores: { paragraph: 0.6, lexical: 5 } },
    ]);
    expect(first).toMatchObject({ candidate: { id: 'b' }, legs: { lexical: { raw: 10, scaled: 1, rank: 1 } } });
    expect(first!.score).toBeCloseTo(0.9 / 1.3, 12);
    expect(second!.candidate.id).toBe('c');
    expect(second!.score).toBeCloseTo(0.5, 12);
    expect(third!.score).toBeCloseTo(0.4 / 1.3, 12);
    expect(third!.legs.lexical).toMatchObject({ scaled: 0, rank: 3 });
  });

  it('does not punish a candidate for the legs it has not got', () => {
    const [first] = fuseScores([
      { id: 'without facets', scores: { paragraph: 0.9, lexical: 9 } },
      { id: 'weak', scores: { paragraph: 0.1, context: 0.2, lexical: 1 } },
      { id: 'middling', scores: { paragraph: 0.5, context: 0.6, lexical: 5 } },
    ]);
    expect(first).toMatchObject({ candidate: { id: 'without facets' }, score: 1 });
    expect(first!.legs.context).toBeUndefined();
  });

  it('leaves out a leg on which all candidates are equal', () => {
    const [first, second] = fuseScores([
      { id: 'a', scores: { paragraph: 0.7, lexical: 0 } },
      { id: 'b', scores: { paragraph: 0.3, lexical: 0 } },
    ]);
    expect([first!.score, second!.score]).toEqual([1, 0]);
    expect(first!.legs.lexical).toMatchObject({ weight: 0, rank: 1 });
    expect(first!.legs.paragraph).toMatchObject({ weight: 1 });
  });

  it('scores a single candidate 1', () => {
    for (const fusion of ['min-max', 'rrf', 'z-score'] as const) {
      const [only] = fuseScores([{ id: 'a', scores: { paragraph: 0.01, scope: -0.5, lexical: 0 } }], { fusion });
      expect(only!.score).toBe(1);
    }
  });

  it('takes reciprocal ranks over all candidates, k = 60 unless told', () => {
    const candidates = [
      { id: 'a', scores: { paragraph: 0.9, lexical: 1 } },
      { id: 'b', scores: { paragraph: 0.8, lexical: 3 } },
      { id: 'c', scores: { paragraph: 0.8, lexical: 2 } },
    ];
    const weights = { paragraph: 1, lexical: 1 };
    const b = fuseScores(candidates, { fusion: 'rrf', weights }).find(({ candidate }) => candidate.id === 'b');
    expect(b!.score).toBeCloseTo((61 / 62 + 61 / 61) / 2, 12);
    const c = fuseScores(candidates, { fusion: 'rrf', weights, k: 0 }).find(({ candidate }) => candidate.id === 'c');
    expect(c!.score).toBeCloseTo((1 / 2 + 1 / 2) / 2, 12); // second on both: equal scores share the better rank
  });

  it('goes from mean to maximum as softmax cools', () => {
    const candidates = [{ id: 'a', scores: { paragraph: 0.9, scope: 0.1 } }];
    const weights = { paragraph: 1, scope: 1 };
    const score = (temperature: number) =>
      fuseScores(candidates, { fusion: 'softmax', weights, temperature })[0]!.score;
    expect(score(100)).toBeCloseTo(0.5, 2);
    expect(score(0.01)).toBeCloseTo(0.9, 6);
    expect(score(0.4)).toBeGreaterThan(score(2));
  });

  it('gives an omitted leg no say and a heavier one more', () => {
    const candidates = [
      { id: 'by words', scores: { paragraph: 0.1, lexical: 9 } },
      { id: 'by meaning', scores: { paragraph: 0.9, lexical: 0 } },
    ];
    expect(fuseScores(candidates)[0]!.candidate.id).toBe('by words');
    expect(fuseScores(candidates, { weights: { lexical: 0 } })[0]!.candidate.id).toBe('by meaning');
    expect(fuseScores(candidates, { weights: { paragraph: 2 } })[0]!.candidate.id).toBe('by meaning');
  });

  it('puts equal candidates in the order of their ids', () => {
    const scores = { paragraph: 0.5, lexical: 2 };
    const ids = fuseScores([
      { id: 'c', scores },
      { id: 'a', scores },
      { id: 'b', scores },
    ]).map((f) => f.candidate.id);
    expect(ids).toEqual(['a', 'b', 'c']);
  });

  it('gives nothing for nothing', () => {
    expect(fuseScores([])).toEqual([]);
  });
});

describe.each(FUSIONS)('%s over made-up candidates', (fusion) => {
  it('keeps every score, scaled score and weight within 0…1', () => {
    const random = seeded(1);
    for (let round = 0; round < 60; round++) {
      const fused = fuseScores(made(random, Math.floor(random() * 30)), { fusion });
      const legs = fused.flatMap((one) => Object.values(one.legs));
      const bounded = [...fused.map(({ score }) => score), ...legs.flatMap(({ scaled, weight }) => [scaled, weight])];
      expect(bounded.filter((value) => !(value >= 0 && value <= 1))).toEqual([]);
      expect(legs.filter(({ rank }) => rank < 1)).toEqual([]);
    }
  });

  it('gives the same whatever the order of the candidates', () => {
    const random = seeded(2);
    for (let round = 0; round < 40; round++) {
      const candidates = made(random, 25);
      expect(fuseScores(shuffled(candidates, random), { fusion })).toEqual(fuseScores(candidates, { fusion }));
    }
  });

  if (fusion !== 'softmax')
    it('never ranks a candidate lower for a better score on one leg', () => {
      const random = seeded(3);
      for (let round = 0; round < 150; round++) {
        const candidates = made(random, 2 + Math.floor(random() * 15), 1);
        const chosen = candidates[Math.floor(random() * candidates.length)]!;
        const leg = LEGS[Math.floor(random() * LEGS.length)]!;
        const scores = { ...chosen.scores, [leg]: chosen.scores[leg]! + random() * 0.5 };
        const better = candidates.map((candidate) => (candidate === chosen ? { id: chosen.id, scores } : candidate));
        const ahead = (list: readonly Scorable[]) => {
          const fused = fuseScores(list, { fusion });
          const own = fused.find(({ candidate }) => candidate.id === chosen.id)!.score;
          return fused.filter(({ score }) => score > own + 1e-12).length;
        };
        expect(ahead(better)).toBeLessThanOrEqual(ahead(candidates));
      }
    });
});
