import type { FeedbackVerdict } from '@postmaster/contracts';
import type { StoredFeedback } from '../rows/tables.js';

/** A question with the paragraphs that somebody has judged for it. */
export interface JudgedQuestion {
  query: string;
  judged: Map<string, FeedbackVerdict>;
}

/**
 * What feedback says of paragraphs, question by question in the order given. The newest verdict on a hit counts. A right
 * answer makes what it cites right, unless a verdict on the hit itself says otherwise; of a wrong one nobody knows
 * whether its sources or its words were at fault, so it judges no paragraph.
 */
export const judgedQuestions = (oldestFirst: readonly StoredFeedback[]): JudgedQuestion[] => {
  const questions = new Map<string, { hits: Map<string, FeedbackVerdict>; cited: Set<string> }>();
  for (const { query, verdict, answer, paragraphs } of oldestFirst) {
    const known = questions.get(query) ?? { hits: new Map<string, FeedbackVerdict>(), cited: new Set<string>() };
    questions.set(query, known);
    for (const paragraph of paragraphs)
      if (answer === null) known.hits.set(paragraph, verdict);
      else if (verdict === 'right') known.cited.add(paragraph);
  }
  return [...questions].map(([query, { hits, cited }]) => ({
    query,
    judged: new Map([...[...cited].map((paragraph) => [paragraph, 'right'] as const), ...hits]),
  }));
};
