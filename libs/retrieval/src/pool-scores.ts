import type { Fusion } from '@postmaster/contracts';
import { normalShare } from './scale-scores.js';

/** One number from a candidate's scores; the weights belong to them in order and sum to `total`, which is above 0. */
export type Pool = (values: readonly number[], weights: readonly number[], total: number) => number;

export const poolOf = (fusion: Fusion, temperature: number): Pool => {
  switch (fusion) {
    case 'max':
      return (values) => Math.max(...values);
    case 'softmax':
      return (values, weights) => softmaxMean(values, weights, temperature);
    case 'z-score':
      return (values, weights, total) => normalShare(weightedMean(values, weights, total));
    case 'min-max':
    case 'rrf':
    case 'mean':
      return weightedMean;
  }
};

const weightedMean: Pool = (values, weights, total) => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * weights[i]!;
  return sum / total;
};

/** Weighted mean in which a value counts e^(value / temperature) times more; shifted by the greatest, so that nothing overflows. */
const softmaxMean = (values: readonly number[], weights: readonly number[], temperature: number): number => {
  const greatest = Math.max(...values);
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i]! * Math.exp((values[i]! - greatest) / temperature);
    sum += values[i]! * weight;
    total += weight;
  }
  return sum / total;
};
