import { type Fusion, SCORED_LEGS, type ScoredLeg } from '@postmaster/contracts';
import { DEFAULT_TEMPERATURE, type FusedLeg } from './fuse-scores.js';

/**
 * What each leg gave to a score: 0…score, in sum the score. Under `min-max`, `rrf` and `mean` that is weight × scaled
 * score; `max` gives all of it to the leg that is greatest (equals share it), `softmax` goes by the weights that it
 * ends with; `z-score`, which is no sum, is shared out by weight × scaled score.
 */
export const shareScore = (
  score: number,
  legs: Partial<Record<ScoredLeg, FusedLeg>>,
  { fusion = 'min-max', temperature = DEFAULT_TEMPERATURE }: { fusion?: Fusion; temperature?: number } = {},
): Partial<Record<ScoredLeg, number>> => {
  const counted = SCORED_LEGS.filter((leg) => (legs[leg]?.weight ?? 0) > 0);
  const greatest = Math.max(...counted.map((leg) => legs[leg]!.scaled));
  const given = counted.map((leg): number => {
    const { weight, scaled } = legs[leg]!;
    if (fusion === 'max') return scaled === greatest ? scaled : 0;
    return weight * scaled * (fusion === 'softmax' ? Math.exp((scaled - greatest) / temperature) : 1);
  });
  const all = given.reduce((sum, one) => sum + one, 0);
  return Object.fromEntries(counted.map((leg, i) => [leg, all > 0 ? (score * given[i]!) / all : 0]));
};
