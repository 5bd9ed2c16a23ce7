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

const MINILM: RelevanceCalibration = {
  withFacets: { intercept: -10.7, share: 5.0, closest: 6.8, missing: -1.7, paragraph: 6.7, facet: 4.2 },
  textOnly: { intercept: -8.5, share: 5.0, closest: 5.7, missing: -1.7, paragraph: 9.8, facet: 0 },
};

/** From this relevance on, something is found. */
export const FOUND = 0.3;

export const calibrationOf = (encoder: string): RelevanceCalibration => (encoder === '' ? MINILM : MINILM);
