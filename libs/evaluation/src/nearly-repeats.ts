import { wordsOf } from './bm25.js';
import type { EvaluationSet } from './read-set.js';

/** From this share of common words on, a question nearly repeats another. */
export const REPEATS_FROM = 0.5;
export const REPEAT_RULE = `the distinct words (in lower case) that it has in common with one of the recorded questions of a right paragraph are at least ${REPEATS_FROM} of all distinct words of the two`;

/** Whether two questions have so many words in common, by their Jaccard index. */
export const nearlyRepeats = (question: string, recorded: string): boolean => {
  const [own, other] = [new Set(wordsOf(question)), new Set(wordsOf(recorded))];
  const common = [...own].filter((word) => other.has(word)).length;
  return common > 0 && common / (own.size + other.size - common) >= REPEATS_FROM;
};

/** For each query of the set, whether it nearly repeats a recorded question of a paragraph that answers it. */
export const repeatedQueries = ({ queries, judged, paragraphs, recorded }: EvaluationSet): boolean[] => {
  const questions = new Map(
    paragraphs.map(({ id }, at) => [
      id,
      [...(recorded?.[at]?.simple_questions ?? []), ...(recorded?.[at]?.complex_questions ?? [])],
    ]),
  );
  return queries.map(({ text }, at) =>
    [...(judged[at] ?? [])].some(
      ([paragraph, grade]) => grade > 0 && questions.get(paragraph)?.some((one) => nearlyRepeats(text, one)),
    ),
  );
};
