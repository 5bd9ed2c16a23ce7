import { z } from 'zod';

/** What reads the best of the fused order again: nothing, the configured cross-encoder, or a language model as judge. */
export const RERANKS = ['none', 'cross-encoder', 'judge'] as const;
export const Rerank = z.enum(RERANKS);
export type Rerank = z.infer<typeof Rerank>;

/** A judge's verdict, in the order in which it was reached. */
export const Verdict = z.object({
  reason: z.string(), // in the question's language
  relevant: z.boolean(), // whether the paragraph helps to answer
  grade: z.number().int().min(0).max(3), // 0 beside the question, 1 its subject only, 2 part of the answer, 3 all of it
});
export type Verdict = z.infer<typeof Verdict>;

/** What a reranker said of a hit. */
export const RerankMatch = z.object({
  reranker: z.string(), // "cohere:rerank-v3.5", "judge:openai:gpt-4o-mini"
  score: z.number(), // as the reranker gives it, on a scale of its own; a judge's is (grade + 1 where relevant) / 4
  scaled: z.number().min(0).max(1), // between the least and greatest of what was reranked for this question
  rank: z.number().int().positive(), // 1 + how many it scored higher
  fusedRank: z.number().int().positive(), // its place in the fused order
  verdict: Verdict.nullable(), // of a judge
});
export type RerankMatch = z.infer<typeof RerankMatch>;
