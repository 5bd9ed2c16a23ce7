import { weighedWords } from '@postmaster/retrieval';
import { JUDGE_EXAMPLES, type JudgeExample } from './judge-examples.js';
import { questionKind } from './question-kind.js';

const SHOWN = 2;

/**
 * The two examples of the language that are nearest to a question: of its kind first, then by the share of words that
 * both have. The bank's order decides between equals, so that the same question always sees the same ones.
 */
export const chooseExamples = (question: string, language: keyof typeof JUDGE_EXAMPLES): JudgeExample[] => {
  const kind = questionKind(question);
  const words = stemsOf(question);
  const nearness = (example: JudgeExample): number => {
    const others = stemsOf(example.question);
    const shared = [...words].filter((word) => others.has(word)).length;
    return (example.kind === kind ? 1 : 0) + shared / Math.max(1, words.size + others.size - shared);
  };
  return JUDGE_EXAMPLES[language]
    .map((example) => ({ example, near: nearness(example) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, SHOWN)
    .map(({ example }) => example);
};

const stemsOf = (text: string): Set<string> => new Set(weighedWords(text).map(({ stem }) => stem));
