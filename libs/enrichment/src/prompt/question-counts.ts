/** How many questions of each kind a paragraph is asked for. */
export interface QuestionCounts {
  simple: number;
  complex: number;
}

/** By the paragraph's words, up to which so many are asked: a line has one fact, a page has many. */
const STEPS: readonly (readonly [words: number, counts: QuestionCounts])[] = [
  [15, { simple: 1, complex: 1 }],
  [30, { simple: 2, complex: 1 }],
  [200, { simple: 3, complex: 2 }],
  [350, { simple: 4, complex: 3 }],
];
const LONG: QuestionCounts = { simple: 6, complex: 4 };

export const questionCounts = (text: string): QuestionCounts => {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return STEPS.find(([most]) => words <= most)?.[1] ?? LONG;
};
