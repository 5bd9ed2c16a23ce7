import type { Candidate } from './candidate-store.js';
import type { WeighedWord } from './question-words.js';
import { mostRelevantFeatures, relevanceFeatures, relevanceOf } from './relevance.js';

export interface RelevanceReader {
  of(candidate: Candidate): number;
  /** What it can be at most, told from cosines alone. */
  atMost(candidate: Candidate): number;
}

/** Relevance reads texts, so it is worked out once, and only for candidates that somebody asks about. */
export const relevanceReader = (
  encoder: string,
  language: string | null,
  words: readonly WeighedWord[],
  candidates: number,
): RelevanceReader => {
  const read = new Map<string, number>();
  return {
    of: ({ id, payload, scores }) => {
      const known = read.get(id);
      if (known !== undefined) return known;
      const features = relevanceFeatures(words, payload, scores, candidates);
      const relevance = relevanceOf(encoder, language ?? payload.language, features);
      read.set(id, relevance);
      return relevance;
    },
    atMost: ({ payload, scores }) =>
      relevanceOf(encoder, language ?? payload.language, mostRelevantFeatures(scores, candidates)),
  };
};
