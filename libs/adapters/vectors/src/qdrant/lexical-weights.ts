import type { Schemas } from '@qdrant/js-client-rest';
import { type QuestionTerm, termHash } from '../lexical-terms.js';

const K1 = 1.2;
const B = 0.75;
/**
 * Terms of a paragraph with its facets, about. It is part of every stored weight, so that it may not follow the texts;
 * any from 500 to 1300 ranks the evaluation sets within .002 of the true mean (hit@1, recorded facets).
 */
const USUAL_LENGTH = 750;

/**
 * The part of BM25 that is a text's own: times × (k1 + 1) / (times + k1 × (1 − b + b × length / usual length)) for each
 * of its terms, k1 1.2, b .75. Its inner product with a question's terms, each weighed by its IDF, is the score.
 * Undefined for a text without a term.
 */
export const textWeights = (terms: readonly string[]): Schemas['SparseVector'] | undefined => {
  const norm = K1 * (1 - B + (B * terms.length) / USUAL_LENGTH);
  const times = new Map<number, number>();
  for (const term of terms) {
    const hash = termHash(term);
    times.set(hash, (times.get(hash) ?? 0) + 1);
  }
  if (times.size === 0) return undefined;
  return {
    indices: [...times.keys()],
    values: Array.from(times.values(), (n) => rounded((n * (K1 + 1)) / (n + norm))),
  };
};

/** What a question's terms count; their IDF is the server's. Undefined for a question without a term. */
export const questionWeights = (question: readonly QuestionTerm[]): Schemas['SparseVector'] | undefined => {
  const weights = new Map<number, number>();
  for (const { term, weight } of question) {
    const hash = termHash(term);
    weights.set(hash, Math.max(weight, weights.get(hash) ?? 0));
  }
  return weights.size === 0 ? undefined : { indices: [...weights.keys()], values: [...weights.values()] };
};

const rounded = (weight: number): number => Math.round(weight * 1e6) / 1e6;
