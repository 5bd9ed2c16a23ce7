/** Of a logistic model: relevance = 1 / (1 + e^−(intercept + Σ constant × feature)). */
export interface RelevanceConstants {
  intercept: number;
  share: number;
  closest: number;
  missing: number;
  paragraph: number;
  facet: number;
}

export interface RelevanceCalibration {
  withFacets: RelevanceConstants;
  /** For a paragraph whose facets are still to come. */
  textOnly: RelevanceConstants;
}

/**
 * From this relevance on, something is found.
 *
 * Fitted and measured by scripts/calibrate-relevance.mjs on xquad-en and xquad-da (1,190 questions each): right are
 * questions with their paragraph, wrong the best hit that is left when its whole article is taken out of the other 47.
 * Cross-validated by article, best of five hits, at .25:
 *
 * |                    | wrongly not found | wrongly found |
 * |---|---|---|
 * | en, model's facets | 2.0 %             | 9.4 %         |
 * | en, extractive     | 2.5 %             | 7.6 %         |
 * | en, text only      | 2.4 %             | 9.2 %         |
 * | da, model's facets | 3.2 %             | 26.2 %        |
 * | da, extractive     | 4.9 %             | 22.7 %        |
 * | da, text only      | 3.6 %             | 27.2 %        |
 *
 * A refusal costs a user more than an answer beside the point, whose sources are shown: so the threshold is low. One
 * threshold for all languages; the Danish figures are worse because the bundled encoder is English.
 */
export const FOUND = 0.25;

/** By encoder id up to its version: cosines of different encoders mean different things. */
const BY_ENCODER: Readonly<Record<string, RelevanceCalibration>> = {
  'minilm:all-minilm-l6-v2': {
    withFacets: { intercept: -9.88, share: 3.86, closest: 7.46, missing: -1.57, paragraph: 4.39, facet: 5.02 },
    textOnly: { intercept: -8.74, share: 5.55, closest: 5.87, missing: -1.51, paragraph: 8.5, facet: 0 },
  },
};

/** Words alone, for an encoder that nobody has calibrated: a question in another language than its answer is then not found. */
const WORDS: RelevanceConstants = {
  intercept: -5.44,
  share: 5.61,
  closest: 6.59,
  missing: -2.17,
  paragraph: 0,
  facet: 0,
};

export const calibrationOf = (encoder: string): RelevanceCalibration => {
  const known = Object.keys(BY_ENCODER).find((id) => encoder.startsWith(id));
  return known === undefined ? { withFacets: WORDS, textOnly: WORDS } : BY_ENCODER[known]!;
};
