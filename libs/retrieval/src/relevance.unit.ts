import { describe, expect, it } from 'vitest';
import type { Leg, PointPayload } from '@postmaster/contracts';
import { pointPayload } from '@postmaster/testing';
import { weighedWords } from './question-words.js';
import { relevanceFeatures, relevanceOf } from './relevance.js';
import { FOUND } from './relevance-calibration.js';

const MINILM = 'minilm:all-minilm-l6-v2-int8-1';
const OPENING = pointPayload({
  title: 'Bicycle shop handbook',
  text: 'Opening hours are Monday to Friday from 9 to 17. On Saturdays we close at noon. Ask Maria at the desk.',
});
const CANTEEN = pointPayload({
  title: 'Personalehåndbog',
  language: 'da',
  text: 'Kantinen er åben fra 11.30 til 13. Frokosten koster 25 kroner og trækkes over lønnen.',
});

/** Cosines as all-MiniLM-L6-v2 gave them for these questions and texts. */
const relevance = (
  question: string,
  payload: PointPayload,
  paragraph: number,
  { encoder = MINILM, candidates = 3, scores = {} as Partial<Record<Leg, number>> } = {},
): number => {
  const features = relevanceFeatures(weighedWords(question), payload, { paragraph, ...scores }, candidates);
  return relevanceOf(encoder, payload.language, features);
};

describe('relevance', () => {
  it('finds the answer in the one document of a new user', () => {
    expect(relevance('When are you open?', OPENING, 0.57)).toBeGreaterThan(FOUND);
    expect(relevance('what time do you close on saturday', OPENING, 0.71)).toBeGreaterThan(FOUND);
    expect(relevance('who is Maria', OPENING, -0.02)).toBeGreaterThan(FOUND);
    expect(relevance('Hvad koster frokosten?', CANTEEN, 0.46)).toBeGreaterThan(FOUND);
    expect(relevance('Hvornår er kantinen åben?', CANTEEN, 0.45)).toBeGreaterThan(FOUND);
  });

  it('does not find there what is about something else', () => {
    expect(relevance('Who won the world cup in 2018?', OPENING, 0.03)).toBeLessThan(FOUND / 5);
    expect(relevance('How do I reset my password?', OPENING, 0.08)).toBeLessThan(FOUND / 5);
    expect(relevance('Hvordan bager man brød?', CANTEEN, 0.55)).toBeLessThan(FOUND);
    expect(relevance('Hvad er hovedstaden i Frankrig?', CANTEEN, 0.44)).toBeLessThan(FOUND / 5);
  });

  it('lets a near meaning stand in for words in English, but not in Danish, which the encoder does not know', () => {
    expect(relevance('Can I get a refund?', OPENING, 0.6)).toBeGreaterThan(FOUND);
    expect(relevance('Kan jeg få pengene tilbage?', CANTEEN, 0.6)).toBeLessThan(FOUND);
  });

  it('wants more of the best of many than of the best of few', () => {
    const few = relevance('Is there parking on Saturdays?', OPENING, 0.3, { candidates: 2 });
    expect(relevance('Is there parking on Saturdays?', OPENING, 0.3, { candidates: 200 })).toBeLessThan(few);
  });

  it('goes by words alone for an encoder that nobody has calibrated', () => {
    const encoder = 'openai:some-model';
    expect(relevance('What hours on Monday?', OPENING, 0.9, { encoder })).toBe(
      relevance('What hours on Monday?', OPENING, 0.1, { encoder }),
    );
    expect(relevance('When do you close on Saturdays?', OPENING, 0.5, { encoder })).toBeGreaterThan(FOUND);
    expect(relevance('Who won the world cup?', OPENING, 0.5, { encoder })).toBeLessThan(FOUND);
  });

  it('takes the best of the facets that are there', () => {
    const features = relevanceFeatures([], OPENING, { paragraph: 0.1, context: 0.3, scope: 0.2, lexical: 9 }, 1);
    expect(features).toMatchObject({ paragraph: 0.1, facet: 0.3 });
    expect(relevanceFeatures([], OPENING, { paragraph: 0.1 }, 1).facet).toBeNull();
  });

  it('counts names and numbers that are nowhere, and words that stand together', () => {
    const words = weighedWords('Does Maria close the desk in 2018?');
    const features = relevanceFeatures(words, OPENING, {}, 1);
    expect(features.missing).toBe(0.5);
    expect(features.closest).toBeLessThan(features.share);
  });
});
