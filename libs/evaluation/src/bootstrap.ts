export interface Interval {
  /** Of the differences as they are. */
  mean: number;
  /** Between these lie 95 % of the means of the resamples. */
  low: number;
  high: number;
}

export const RESAMPLES = 10_000;

/**
 * The percentile bootstrap of a mean of paired differences (Efron and Tibshirani 1993, chapter 13; for retrieval, Sakai,
 * SIGIR 2006): questions are drawn with replacement, each with its difference. Nothing is drawn where all are equal.
 */
export const bootstrapMean = (
  differences: readonly number[],
  random: () => number,
  resamples: number = RESAMPLES,
): Interval => {
  const { length } = differences;
  if (length === 0) return { mean: 0, low: 0, high: 0 };
  const mean = differences.reduce((sum, one) => sum + one, 0) / length;
  if (differences.every((one) => one === differences[0])) return { mean, low: mean, high: mean };
  const values = Float64Array.from(differences);
  const means = new Float64Array(resamples);
  for (let at = 0; at < resamples; at++) {
    let sum = 0;
    for (let drawn = 0; drawn < length; drawn++) sum += values[Math.floor(random() * length)]!;
    means[at] = sum / length;
  }
  means.sort();
  return { mean, low: quantile(means, 0.025), high: quantile(means, 0.975) };
};

/** Between the two nearest values where the share falls between them; of sorted values, at least one. */
export const quantile = (sorted: ArrayLike<number>, share: number): number => {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
};
