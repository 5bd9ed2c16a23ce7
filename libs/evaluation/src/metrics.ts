/** Grades of what is relevant to one question, by paragraph id; above 0 is relevant. */
export type Judgements = ReadonlyMap<string, number>;

/** 1 where the first result is relevant. */
export const hitAt1 = (ranked: readonly string[], judged: Judgements): number => (grade(judged, ranked[0]) > 0 ? 1 : 0);

/** The share of the relevant that is among the first k. */
export const recallAt = (k: number, ranked: readonly string[], judged: Judgements): number => {
  const relevant = [...judged.values()].filter((value) => value > 0).length;
  const found = ranked.slice(0, k).filter((id) => grade(judged, id) > 0).length;
  return relevant === 0 ? 0 : found / relevant;
};

/** One over the rank of the first relevant result, 0 where it is not among the first k. */
export const reciprocalRankAt = (k: number, ranked: readonly string[], judged: Judgements): number => {
  const at = ranked.slice(0, k).findIndex((id) => grade(judged, id) > 0);
  return at < 0 ? 0 : 1 / (at + 1);
};

/**
 * Gain 2^grade − 1, discounted by log2(rank + 1), over that of the best order there could be (Järvelin and Kekäläinen,
 * TOIS 2002, with the gain of Burges et al., ICML 2005).
 */
export const ndcgAt = (k: number, ranked: readonly string[], judged: Judgements): number => {
  const gained = discounted(ranked.slice(0, k).map((id) => grade(judged, id)));
  const best = discounted([...judged.values()].sort((a, b) => b - a).slice(0, k));
  return best === 0 ? 0 : gained / best;
};

/** What is measured of each question. */
export const METRICS = {
  'hit@1': hitAt1,
  'recall@5': (ranked, judged) => recallAt(5, ranked, judged),
  'recall@20': (ranked, judged) => recallAt(20, ranked, judged),
  'mrr@10': (ranked, judged) => reciprocalRankAt(10, ranked, judged),
  'ndcg@10': (ranked, judged) => ndcgAt(10, ranked, judged),
} satisfies Record<string, (ranked: readonly string[], judged: Judgements) => number>;
export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[]; // its own keys
export type Scores = Record<Metric, number>;

export const scoresOf = (ranked: readonly string[], judged: Judgements): Scores =>
  byMetric((metric) => METRICS[metric](ranked, judged));

/** Each metric's mean over the questions; 0 where there are none. */
export const meanScores = (scores: readonly Scores[]): Scores =>
  byMetric((metric) => scores.reduce((sum, one) => sum + one[metric], 0) / Math.max(1, scores.length));

export const byMetric = <T>(of: (metric: Metric) => T): Record<Metric, T> =>
  Object.fromEntries(METRIC_NAMES.map((metric) => [metric, of(metric)])) as Record<Metric, T>; // every metric is named

const grade = (judged: Judgements, id: string | undefined): number => (id === undefined ? 0 : (judged.get(id) ?? 0));

const discounted = (grades: readonly number[]): number =>
  grades.reduce((sum, value, at) => sum + (2 ** value - 1) / Math.log2(at + 2), 0);
