import type { Fusion, ScoredLeg } from '@postmaster/contracts';

/** 1 + how many of `among` are greater, for each score; 0 where it is NaN, that is, missing. */
export const competitionRanks = (scores: Float64Array, among: Float64Array = scores): Int32Array => {
  const sorted = among.filter((score) => !Number.isNaN(score)).sort();
  return Int32Array.from(scores, (score) => (Number.isNaN(score) ? 0 : 1 + sorted.length - notAbove(sorted, score)));
};

/** How many of a rising list are not above a number. */
const notAbove = (sorted: Float64Array, number: number): number => {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= number) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * One leg's scores brought to 0…1 (`scaled`), and what goes into the pool, which is the same but for z-scores. The scale
 * is that of `among`; what lies beyond it counts as its end.
 */
export const scaleOf = (
  fusion: Fusion,
  leg: ScoredLeg,
  raw: Float64Array,
  ranks: Int32Array,
  k: number,
  among: Float64Array = raw,
): { scaled: Float64Array; pooled: Float64Array } => {
  switch (fusion) {
    case 'min-max':
      return both(minMax(raw, among));
    case 'rrf':
      return both(Float64Array.from(ranks, (rank) => (k + 1) / (k + rank)));
    case 'z-score': {
      const z = zScores(raw, among);
      return { scaled: z.map(normalShare), pooled: z };
    }
    case 'mean':
    case 'max':
    case 'softmax':
      return both(leg === 'lexical' ? overGreatest(raw, among) : raw.map(within));
  }
};

const both = (scaled: Float64Array) => ({ scaled, pooled: scaled });

/** NaN stays. */
const within = (share: number): number => Math.min(1, Math.max(0, share));

/** (score − least) / (greatest − least); 1 where all are equal. */
const minMax = (raw: Float64Array, among: Float64Array): Float64Array => {
  let least = Infinity;
  let greatest = -Infinity;
  for (const score of among) {
    if (score < least) least = score;
    if (score > greatest) greatest = score;
  }
  const range = greatest - least;
  return raw.map((score) => (range > 0 ? within((score - least) / range) : 1));
};

const overGreatest = (raw: Float64Array, among: Float64Array): Float64Array => {
  let greatest = 0;
  for (const score of among) if (score > greatest) greatest = score;
  return raw.map((score) => (greatest > 0 ? within(score / greatest) : 0));
};

/** (score − mean) / deviation over the scores that are there; 0 where all are equal. */
const zScores = (raw: Float64Array, among: Float64Array): Float64Array => {
  const present = among.filter((score) => !Number.isNaN(score));
  let mean = 0;
  for (const score of present) mean += score / present.length;
  let variance = 0;
  for (const score of present) variance += (score - mean) ** 2 / present.length;
  const deviation = Math.sqrt(variance);
  return raw.map((score) => (deviation > 0 ? (score - mean) / deviation : 0));
};

/**
 * The share of a normal distribution below z, by the logistic approximation 1 / (1 + e^(−1.702 z)), which is within
 * .0095 of it everywhere (Camilli, 1994) and, unlike polynomial ones, strictly rising.
 */
export const normalShare = (z: number): number => 1 / (1 + Math.exp(-1.702 * z));
