import { LEGS } from '@postmaster/contracts';
import { shuffled } from '../seeded-random.js';
import type { LegWeights } from './rank-by-weights.js';

export interface Ascended {
  /** Non-negative, of sum 1. */
  weights: LegWeights;
  value: number;
}

/** What a leg may have of the whole, the others keeping their proportions in the rest. */
const SHARES = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8];
/** Less is no gain: a plateau is not wandered about on. */
const LEAST_GAIN = 1e-6;
const SWEEPS = 20;
const RESTARTS = 2;

/**
 * Weights at which an objective is greatest, by coordinate ascent (Metzler and Croft, "Linear feature-based models for
 * information retrieval", Information Retrieval 10, 2007): one leg's share after another is set to what does best, until
 * a round of all legs gains nothing; from each of `starts`, and from a few points of chance. The value is never below
 * that of the first start, and an earlier start is kept where a later one does no better. Throws nothing; at least one
 * start.
 */
export const ascendWeights = (
  objective: (weights: LegWeights) => number,
  starts: readonly LegWeights[],
  random: () => number,
): Ascended =>
  [...starts.map(ofSumOne), ...Array.from({ length: RESTARTS }, () => anyPoint(random))]
    .map((start) => climb(objective, start, random))
    .reduce((best, one) => (one.value > best.value + LEAST_GAIN ? one : best));

const climb = (objective: (weights: LegWeights) => number, start: LegWeights, random: () => number): Ascended => {
  let best: Ascended = { weights: start, value: objective(start) };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const before = best.value;
    for (const leg of shuffled(LEGS, random)) {
      const { weights } = best;
      const rest = 1 - weights[leg];
      if (rest <= 0) continue; // the others have no proportions to keep
      for (const share of SHARES) {
        const scale = (1 - share) / rest;
        const tried = byLeg((other) => (other === leg ? share : weights[other] * scale));
        const value = objective(tried);
        if (value > best.value + LEAST_GAIN) best = { weights: tried, value };
      }
    }
    if (best.value === before) break;
  }
  return best;
};

export const ofSumOne = (weights: LegWeights): LegWeights => {
  const sum = LEGS.reduce((before, leg) => before + weights[leg], 0);
  return byLeg((leg) => weights[leg] / sum);
};

/** Evenly from all weights of sum 1. */
const anyPoint = (random: () => number): LegWeights => ofSumOne(byLeg(() => -Math.log(1 - random())));

const byLeg = (of: (leg: (typeof LEGS)[number]) => number): LegWeights =>
  Object.fromEntries(LEGS.map((leg) => [leg, of(leg)])) as LegWeights; // every leg is named
