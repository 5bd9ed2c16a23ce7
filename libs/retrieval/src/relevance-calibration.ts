/** Of a logistic model: relevance = 1 / (1 + e^−(intercept + Σ constant × feature)), `candidates` by its logarithm. */
export interface RelevanceConstants {
  intercept: number;
  share: number;
  closest: number;
  missing: number;
  paragraph: number;
  facet: number;
  candidates: number;
}

export interface RelevanceCalibration {
  withFacets: RelevanceConstants;
  /** For a paragraph whose facets are still to come. */
  textOnly: RelevanceConstants;
}

/**
 * From this relevance on, something is found.
 *
 * It and the constants below come from scripts/calibrate-relevance.mjs on xquad-en and xquad-da (1,190 questions and
 * 240 paragraphs of 48 articles each): right are questions with their paragraph, wrong the best hit that is left when
 * its whole article is taken out; both also in tenants of one paragraph, one article and five. Wrongly not found /
 * wrongly found at .25, cross-validated by article, best of five hits, by paragraphs in the tenant:
 *
 * |                    | 1           | 5            | 25           | 240          |
 * |--------------------|-------------|--------------|--------------|--------------|
 * | en, model's facets | .1 / 1.0 %  | .3 / 1.7 %   | 1.1 / 3.9 %  | 1.8 / 9.1 %  |
 * | en, extractive     | .4 / .5 %   | .8 / 1.2 %   | 1.5 / 2.8 %  | 2.5 / 7.1 %  |
 * | en, text only      | .4 / .9 %   | .8 / 1.8 %   | 1.3 / 3.6 %  | 1.8 / 10.3 % |
 * | da, model's facets | .8 / 4.9 %  | 1.3 / 10.4 % | 2.6 / 12.7 % | 3.8 / 22.1 % |
 * | da, extractive     | 1.3 / 2.9 % | 2.4 / 7.0 %  | 3.9 / 10.6 % | 5.4 / 19.9 % |
 * | da, text only      | 1.2 / 4.0 % | 1.5 / 9.5 %  | 3.5 / 12.6 % | 4.5 / 22.9 % |
 *
 * What is left of the same subject when the right paragraph alone is taken out is found half of the time (en 48 to 52 %,
 * da 44 to 49 %): relevance tells the subject, not the answer (docs/decisions/0022-not-found-tells-of-the-subject.md).
 *
 * A refusal costs a reader more than an answer beside the point, which shows its sources: hence so low. The Danish
 * figures are worse because the bundled encoder is English: words must carry them. XQuAD's questions were written with
 * the paragraph in sight and share its words; those of real readers do less, so expect more that is not found.
 */
export const FOUND = 0.25;

interface EncoderCalibration {
  /** ISO 639-1 of the language that the encoder was made for. */
  language: string;
  own: RelevanceCalibration;
  /** For any other language and an unknown one; fitted on Danish. */
  other: RelevanceCalibration;
}

/** By encoder id up to its version: cosines of different encoders mean different things. */
const BY_ENCODER: Readonly<Record<string, EncoderCalibration>> = {
  'minilm:all-minilm-l6-v2': {
    language: 'en',
    own: {
      withFacets: constants(-8.08, 1.93, 6.96, -1.51, 10.43, 8.81, -0.88),
      textOnly: constants(-6.42, 2.56, 6.03, -1.62, 18.03, 0, -0.86),
    },
    other: {
      withFacets: constants(-7.42, 5.44, 7.92, -1.7, 3.62, 3.85, -0.5),
      textOnly: constants(-6.53, 7.83, 5.6, -1.68, 6.64, 0, -0.51),
    },
  },
};

/**
 * Words alone, for an encoder that nobody has calibrated (at .25, whole set: en 2.0 / 23.8 %, da 6.2 / 18.2 %). A
 * question in another language than its answer is then seldom found.
 */
const WORDS = constants(-3.96, 7.06, 6.95, -1.92, 0, 0, -0.5);

function constants(
  intercept: number,
  share: number,
  closest: number,
  missing: number,
  paragraph: number,
  facet: number,
  candidates: number,
): RelevanceConstants {
  return { intercept, share, closest, missing, paragraph, facet, candidates };
}

const calibrated = (encoder: string): EncoderCalibration | undefined => {
  const id = Object.keys(BY_ENCODER).find((known) => encoder.startsWith(known));
  return id === undefined ? undefined : BY_ENCODER[id];
};

/** ISO 639-1 of the one language that an encoder was made for; undefined for one that is taken to know all. */
export const encoderLanguage = (encoder: string): string | undefined => calibrated(encoder)?.language;

export const calibrationOf = (encoder: string, language: string | null): RelevanceCalibration => {
  const calibration = calibrated(encoder);
  if (!calibration) return { withFacets: WORDS, textOnly: WORDS };
  return language === calibration.language ? calibration.own : calibration.other;
};
