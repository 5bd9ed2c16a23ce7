import { describe, expect, it } from 'vitest';
import { LEGS } from '@postmaster/contracts';
import { seededRandom } from '../seeded-random.js';
import type { CandidateScores } from '../ways.js';
import { ascendWeights } from './ascend-weights.js';
import { crossValidate, FOLDS, type TunedQuestion } from './cross-validate.js';
import { documentFolds, separateDocuments } from './document-folds.js';
import { type LegWeights, rankByWeights } from './rank-by-weights.js';

const SEEDS = [1, 2, 3, 4, 5];
const NONE: LegWeights = { paragraph: 0, simple_questions: 0, complex_questions: 0, context: 0, scope: 0, lexical: 0 };
const EVEN: LegWeights = { paragraph: 1, simple_questions: 1, complex_questions: 1, context: 1, scope: 1, lexical: 1 };
const sumOf = (weights: LegWeights): number => LEGS.reduce((sum, leg) => sum + weights[leg], 0);

describe('ranking by weights', () => {
  // the right one is second by its text, first by its words; "none" shares no word
  const candidates: CandidateScores[] = [
    { id: 'wrong', scores: { paragraph: 0.9, lexical: 2 } },
    { id: 'right', scores: { paragraph: 0.7, lexical: 6 } },
    { id: 'none', scores: { paragraph: 0.5, lexical: 0 } },
  ];
  const ndcg = rankByWeights(candidates, new Map([['right', 1]]), 50);

  it('gives the nDCG@10 of a worked example', () => {
    // scaled: wrong 1, ⅓; right ½, 1; none 0, 0: they meet where ½ of the paragraph is ⅔ of the words
    expect(ndcg({ ...NONE, paragraph: 1, lexical: 1 })).toBe(1);
    expect(ndcg({ ...NONE, paragraph: 4.1, lexical: 3 })).toBeCloseTo(1 / Math.log2(3), 12);
    expect(ndcg({ ...NONE, paragraph: 3.9, lexical: 3 })).toBe(1);
  });

  it('weighs grades by their gain, over the best order that there is', () => {
    const graded = rankByWeights(candidates, new Map(Object.entries({ wrong: 1, right: 2, elsewhere: 2 })), 50);
    const best = 3 + 3 / Math.log2(3) + 1 / 2;
    expect(graded({ ...NONE, paragraph: 1 })).toBeCloseTo((1 + 3 / Math.log2(3)) / best, 12);
  });

  it('knows only what a search by the legs that count would have found', () => {
    const by = rankByWeights(candidates, new Map([['none', 1]]), 2);
    expect(by({ ...NONE, lexical: 1 })).toBe(0); // shares no word
    expect(by({ ...NONE, paragraph: 1 })).toBe(0); // third of two
    expect(rankByWeights(candidates, new Map([['none', 1]]), 3)({ ...NONE, paragraph: 1 })).toBe(0.5);
  });

  it('finds nothing where the right one is no candidate', () => {
    expect(rankByWeights(candidates, new Map([['elsewhere', 1]]), 50)(EVEN)).toBe(0);
  });
});

describe('coordinate ascent', () => {
  const peak: LegWeights = { ...NONE, paragraph: 0.3, lexical: 0.5, scope: 0.2 };
  const nearness = (weights: LegWeights): number =>
    1 - LEGS.reduce((sum, leg) => sum + (weights[leg] - peak[leg]) ** 2, 0);

  it.each(SEEDS)('comes near the peak of what has one, with weights of sum 1, the same for a seed (%i)', (seed) => {
    const { weights, value } = ascendWeights(nearness, [EVEN], seededRandom(seed));
    expect(value).toBeGreaterThan(0.995);
    expect(sumOf(weights)).toBeCloseTo(1, 12);
    expect(Math.min(...Object.values(weights))).toBeGreaterThanOrEqual(0);
    expect(ascendWeights(nearness, [EVEN], seededRandom(seed))).toEqual({ weights, value });
  });

  it.each(SEEDS)('never ends below where it started, however rough the ground (%i)', (seed) => {
    const rough = (weights: LegWeights): number => {
      const at = seededRandom(Math.round(LEGS.reduce((sum, leg, place) => sum + weights[leg] * 997 ** place, 0)));
      return at();
    };
    const random = seededRandom(seed);
    const start = { ...EVEN, paragraph: 1 + random() * 5 };
    const value = rough({ ...start, ...scaled(start) });
    expect(ascendWeights(rough, [start], random).value).toBeGreaterThanOrEqual(value);
  });

  it('stays at the start where nothing does better', () => {
    expect(ascendWeights(() => 0.5, [peak, EVEN], seededRandom(1)).weights).toEqual(peak);
  });
});

const scaled = (weights: LegWeights): Partial<LegWeights> =>
  Object.fromEntries(LEGS.map((leg) => [leg, weights[leg] / sumOf(weights)]));

describe('folds', () => {
  const random = seededRandom(3);
  const documents = Array.from({ length: 200 }, () => {
    const own = `d${Math.floor(random() * 40)}`;
    return random() < 0.02 ? [own, `d${Math.floor(random() * 40)}`] : [own];
  });

  it.each(SEEDS)('never part the questions of one document, nor documents that a question joins (%i)', (seed) => {
    const folds = documentFolds(documents, 5, seededRandom(seed));
    const of = new Map<string, Set<number>>();
    for (const [at, own] of documents.entries())
      for (const document of own) of.set(document, (of.get(document) ?? new Set()).add(folds[at]!));
    expect([...of.values()].filter(({ size }) => size > 1)).toEqual([]);
    const sizes = [0, 1, 2, 3, 4].map((fold) => folds.filter((one) => one === fold).length);
    expect(Math.min(...sizes)).toBeGreaterThan(20);
    expect(documentFolds(documents, 5, seededRandom(seed))).toEqual(folds);
  });

  it('count what is joined as one', () => {
    expect(separateDocuments([['a'], ['b', 'c'], ['c', 'd'], ['e']])).toBe(3);
  });
});

describe('cross-validation', () => {
  /** Questions of 20 documents: `share` of them the scope alone tells right, the others the paragraph. */
  const questionsBy = (share: number): TunedQuestion[] => {
    const random = seededRandom(9);
    return Array.from({ length: 50 }, (_, at) => {
      const ndcgBy = rankByWeights(
        [
          { id: 'right', scores: random() < share ? { paragraph: 0, scope: 1 } : { paragraph: 1, scope: 0 } },
          { id: 'wrong', scores: random() < share ? { paragraph: 0.8, scope: 0 } : { paragraph: 0, scope: 0.8 } },
        ],
        new Map([['right', 1]]),
        50,
      );
      return { documents: [`d${at % 20}`], ndcgBy, defaults: { ...NONE, paragraph: 0.8, scope: 0.2 } };
    });
  };

  it('shows a fit to beat the default where another leg knows better', () => {
    const { verdict, heldOut, weights } = crossValidate(questionsBy(0.9), 1);
    expect(verdict).toBe('better');
    expect(heldOut.difference.low).toBeGreaterThan(0);
    expect(heldOut.fitted - heldOut.default).toBeCloseTo(heldOut.difference.mean, 12);
    expect(weights.scope).toBeGreaterThan(0.2);
  });

  it('claims nothing where the default is right already', () => {
    const { verdict, train } = crossValidate(questionsBy(0), 1);
    expect(verdict).toBe('open');
    expect(train.fitted).toBe(train.default);
  });

  it('claims nothing for what fits by luck', () => {
    const random = seededRandom(5);
    const noise = Array.from({ length: 50 }, (_, at): TunedQuestion => {
      const ids = ['right', 'a', 'b', 'c'];
      const candidates = ids.map((id) => ({
        id,
        scores: Object.fromEntries(LEGS.map((leg) => [leg, random()])),
      }));
      const ndcgBy = rankByWeights(candidates, new Map([['right', 1]]), 50);
      return { documents: [`d${at % 10}`], defaults: EVEN, ndcgBy };
    });
    const { verdict, train } = crossValidate(noise, 1);
    expect(train.fitted).toBeGreaterThan(train.default);
    expect(verdict).not.toBe('better');
  });

  it('fits the weights of a fold without its questions: whatever these are, they stay', () => {
    /** Best where the scope has this share. */
    const wants = (share: number, at: number): TunedQuestion => ({
      documents: [`d${at % 20}`],
      ndcgBy: ({ scope }) => 1 - (scope - share) ** 2,
      defaults: EVEN,
    });
    const questions = Array.from({ length: 60 }, (_, at) => wants(0.2, at));
    const documents = questions.map((one) => one.documents);
    const foldOf = documentFolds(documents, FOLDS, seededRandom(2));
    const contrary = questions.map((one, at) => (foldOf[at] === 0 ? wants(1, at) : one));
    const { folds, weights } = crossValidate(contrary, 2);
    expect(folds[0]).toMatchObject({ weights: { scope: 0.2 }, fitted: expect.closeTo(0.36, 6) });
    expect(folds.slice(1).every((fold) => fold.weights.scope > 0.3)).toBe(true); // they have seen it
    expect(weights.scope).toBeGreaterThan(0.3);
  });

  it('gives the same for a seed', () => {
    expect(crossValidate(questionsBy(0.6), 4)).toEqual(crossValidate(questionsBy(0.6), 4));
  });
});
