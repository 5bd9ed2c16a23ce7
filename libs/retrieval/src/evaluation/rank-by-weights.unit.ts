import { describe, expect, it } from 'vitest';
import { LEGS } from '@postmaster/contracts';
import { type LegWeights, ndcgAt, rankByWeights } from '@postmaster/evaluation';
import { compositePlan } from './way-plans.js';
import { rankBy } from './rank-ways.js';

/** Scores in tenths, so that many are equal; some legs are missing. */
const generated = (seed: number) => {
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return {
    candidates: Array.from({ length: 90 }, (_, at) => ({
      id: `p${at}`,
      scores: Object.fromEntries(
        LEGS.filter((leg) => leg === 'lexical' || leg === 'paragraph' || random() < 0.8).map((leg) => [
          leg,
          Math.round(random() * 10) / 10,
        ]),
      ),
    })),
    weights: Object.fromEntries(
      LEGS.map((leg) => [leg, random() < 0.3 ? 0 : Math.ceil(random() * 9) / 10]),
    ) as LegWeights, // every leg is named
  };
};

describe('what weights are fitted by', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at + 1))('ranks as the search itself does (%i)', (seed) => {
    const { candidates, weights } = generated(seed);
    if (LEGS.every((leg) => weights[leg] === 0)) return;
    const judged = new Map([
      ['p7', 2],
      ['p40', 1],
      ['p63', 1],
    ]);
    const perLeg = 50;
    const plan = compositePlan(weights);
    const lists = Object.fromEntries(
      LEGS.map((leg) => [
        leg,
        candidates
          .flatMap(({ id, scores }) => (scores[leg] === undefined ? [] : [{ id, score: scores[leg] }]))
          .filter(({ score }) => leg !== 'lexical' || score > 0)
          .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
          .slice(0, perLeg),
      ]),
    );
    const listed = new Set(plan.legs.flatMap((leg) => lists[leg]!.map(({ id }) => id)));
    const own = candidates.filter(({ id }) => listed.has(id));
    const ranked =
      plan.legs.length === 1
        ? lists[plan.legs[0]!]!.map(({ id }) => id)
        : rankBy(plan, { lists, candidates: own }, perLeg);
    expect(rankByWeights(candidates, judged, perLeg)(weights)).toBeCloseTo(ndcgAt(10, ranked, judged), 12);
  });
});
