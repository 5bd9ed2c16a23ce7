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

export interface Scores {
  hit1: number;
  recall10: number;
  mrr10: number;
  ndcg10: number;
}

/** Each metric's mean over the questions: `rankings` and `judged` stand in the same order. */
export const meanScores = (rankings: readonly (readonly string[])[], judged: readonly Judgements[]): Scores => {
  const mean = (metric: (ranked: readonly string[], judged: Judgements) => number): number =>
    rankings.reduce((sum, ranked, at) => sum + metric(ranked, judged[at] ?? new Map()), 0) / rankings.length;
  return {
    hit1: mean(hitAt1),
    recall10: mean((ranked, one) => recallAt(10, ranked, one)),
    mrr10: mean((ranked, one) => reciprocalRankAt(10, ranked, one)),
    ndcg10: mean((ranked, one) => ndcgAt(10, ranked, one)),
  };
};

const grade = (judged: Judgements, id: string | undefined): number => (id === undefined ? 0 : (judged.get(id) ?? 0));

const discounted = (grades: readonly number[]): number =>
  grades.reduce((sum, value, at) => sum + (2 ** value - 1) / Math.log2(at + 2), 0);
