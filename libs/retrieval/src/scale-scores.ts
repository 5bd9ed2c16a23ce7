import type { Fusion, ScoredLeg } from '@postmaster/contracts';

/** 1 + the number of greater scores, for each score; 0 where it is NaN, that is, missing. */
export const competitionRanks = (scores: Float64Array): Int32Array => {
  const ranks = new Int32Array(scores.length);
  const sorted = scores.filter((score) => !Number.isNaN(score)).sort();
  const rankOf = new Map<number, number>();
  for (let i = sorted.length - 1; i >= 0; i--) {
    if (!rankOf.has(sorted[i]!)) rankOf.set(sorted[i]!, sorted.length - i);
  }
  for (let row = 0; row < scores.length; row++) ranks[row] = rankOf.get(scores[row]!) ?? 0;
  return ranks;
};

/** One leg's scores brought to 0…1 (`scaled`), and what goes into the pool, which is the same but for z-scores. */
export const scaleOf = (
  fusion: Fusion,
  leg: ScoredLeg,
  raw: Float64Array,
  ranks: Int32Array,
  k: number,
): { scaled: Float64Array; pooled: Float64Array } => {
  switch (fusion) {
    case 'min-max':
      return both(minMax(raw));
    case 'rrf':
      return both(Float64Array.from(ranks, (rank) => (k + 1) / (k + rank)));
    case 'z-score': {
      const z = zScores(raw);
      return { scaled: z.map(normalShare), pooled: z };
    }
    case 'mean':
    case 'max':
    case 'softmax':
      return both(leg === 'lexical' ? overGreatest(raw) : raw.map((score) => Math.min(1, Math.max(0, score))));
  }
};

const both = (scaled: Float64Array) => ({ scaled, pooled: scaled });

/** (score − least) / (greatest − least); 1 where all are equal. */
const minMax = (raw: Float64Array): Float64Array => {
  let least = Infinity;
  let greatest = -Infinity;
  for (const score of raw) {
    if (score < least) least = score;
    if (score > greatest) greatest = score;
  }
  const range = greatest - least;
  return raw.map((score) => (range > 0 ? (score - least) / range : 1));
};

const overGreatest = (raw: Float64Array): Float64Array => {
  let greatest = 0;
  for (const score of raw) if (score > greatest) greatest = score;
  return raw.map((score) => (greatest > 0 ? Math.max(0, score) / greatest : 0));
};

/** (score − mean) / deviation over the scores that are there; 0 where all are equal. */
const zScores = (raw: Float64Array): Float64Array => {
  const present = raw.filter((score) => !Number.isNaN(score));
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
