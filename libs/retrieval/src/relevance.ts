import type { PointPayload, ScoredLeg } from '@postmaster/contracts';
import { legible, holds, shareHeld, type WeighedWord } from './question-words.js';
import { calibrationOf } from './relevance-calibration.js';
import { sentencesOf } from './sentences.js';

/** What relevance is made of: none is measured against the other paragraphs that were found. */
export interface RelevanceFeatures {
  /** Share of the question's word weight in paragraph, title, headings and facets together. */
  share: number;
  /** The same for the one sentence (with title and headings) or facet that holds most. */
  closest: number;
  /** Share of the question's names and numbers that are nowhere in them; 0 where it has none. */
  missing: number;
  /** Cosine of question and paragraph. */
  paragraph: number;
  /** The greatest cosine of question and facet; null while there are none. */
  facet: number | null;
  /** How many paragraphs were scored, 1 at least: the best of many is often near by chance, the best of three is not. */
  candidates: number;
}

type Scores = Partial<Record<ScoredLeg, number>>;

export const relevanceFeatures = (
  words: readonly WeighedWord[],
  payload: PointPayload,
  scores: Scores,
  candidates: number,
): RelevanceFeatures => {
  const heading = legible([payload.title, ...payload.trail].join(' '));
  const facets = [...payload.simpleQuestions, ...payload.complexQuestions, payload.context, payload.scope].map(legible);
  const everything = `${heading}${legible(payload.text)}${facets.join('')}`;
  let closest = 0;
  for (const sentence of sentencesOf(payload.text))
    closest = Math.max(closest, shareHeld(heading + legible(sentence.text), words));
  for (const facet of facets) closest = Math.max(closest, shareHeld(facet, words));
  const names = words.filter((word) => word.name);
  const lost = names.filter((word) => !holds(everything, word));
  return {
    share: shareHeld(everything, words),
    closest,
    missing: names.length > 0 ? lost.length / names.length : 0,
    paragraph: scores.paragraph ?? 0,
    facet: greatestFacet(scores),
    candidates,
  };
};

/** The features of a text that holds every word that was asked for. */
export const mostRelevantFeatures = (scores: Scores, candidates: number): RelevanceFeatures => ({
  share: 1,
  closest: 1,
  missing: 0,
  paragraph: scores.paragraph ?? 0,
  facet: greatestFacet(scores),
  candidates,
});

const greatestFacet = (scores: Scores): number | null => {
  const facets = [scores.simple_questions, scores.complex_questions, scores.context, scores.scope];
  const present = facets.filter((score) => score !== undefined);
  return present.length > 0 ? Math.max(...present) : null;
};

/**
 * How likely it is that the paragraph bears on the question at all: 0…1, comparable across questions. A logistic model,
 * whose constants for the encoder and the question's language are in relevance-calibration.ts.
 */
export const relevanceOf = (encoder: string, language: string | null, features: RelevanceFeatures): number => {
  const { withFacets, textOnly } = calibrationOf(encoder, language);
  const c = features.facet === null ? textOnly : withFacets;
  const z =
    c.intercept +
    c.share * features.share +
    c.closest * features.closest +
    c.missing * features.missing +
    c.paragraph * features.paragraph +
    c.facet * (features.facet ?? 0) +
    c.candidates * Math.log(features.candidates);
  return 1 / (1 + Math.exp(-z));
};
