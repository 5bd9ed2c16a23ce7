import type { Leg } from '@postmaster/contracts';
import { DEFAULT_WEIGHTS } from './fuse-scores.js';
import { encoderLanguage } from './relevance-calibration.js';

/**
 * Where the encoder was not made for the question's language, words carry more of it, and the vectors of context and
 * scope mislead (docs/decisions/0018-weights-by-language.md).
 */
const FOREIGN_WEIGHTS: Readonly<Record<Leg, number>> = {
  ...DEFAULT_WEIGHTS,
  context: 0.05,
  scope: 0.05,
  lexical: 1.5,
};

/** What the legs count for where nobody says otherwise. `language`: the question's, ISO 639-1; null where it can't be told. */
export const defaultWeights = (encoder: string, language: string | null): Readonly<Record<Leg, number>> => {
  const own = encoderLanguage(encoder);
  return own === undefined || language === null || language === own ? DEFAULT_WEIGHTS : FOREIGN_WEIGHTS;
};
