import { describe, expect, it } from 'vitest';
import {
  byComposite,
  byParagraph,
  byRankFusion,
  byWeightedScores,
  byWords,
  type Fuse,
  type SearchedParagraph,
} from './ways.js';

const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
const paragraph = (
  id: string,
  text: string,
  degrees: number,
  more: Partial<SearchedParagraph> = {},
): SearchedParagraph => ({
  id,
  text,
  facetTexts: [],
  ...more,
  vectors: { paragraph: [at(degrees)], ...more.vectors },
});
const paragraphs = [
  paragraph('far', 'apples and pears', 80),
  paragraph('near', 'nothing here', 10),
  paragraph('middle', 'apples', 45),
];
const question = { text: 'apples', vector: at(0) };

/** Sums what is there; enough to see what reaches the fusion. */
const sum: Fuse = (candidates) =>
  candidates
    .map((candidate) => ({ candidate, score: Object.values(candidate.scores).reduce((a, b) => a + b, 0) }))
    .sort((a, b) => b.score - a.score);

describe('the ways', () => {
  it('rank by cosine, or by words', () => {
    expect(byParagraph(paragraphs)(question)).toEqual(['near', 'middle', 'far']);
    expect(byWords(paragraphs)(question).slice(0, 2)).toEqual(['middle', 'far']);
  });

  it('fuse ranks so that two good ones beat one best', () => {
    expect(byRankFusion(paragraphs)(question)[0]).toBe('middle');
  });

  it('weigh scores: a great weight follows the vectors, none the words', () => {
    expect(byWeightedScores(paragraphs, 100)(question)).toEqual(['near', 'middle', 'far']);
    expect(byWeightedScores(paragraphs, 0)(question)).toEqual(byWords(paragraphs)(question));
  });

  it('give the composite the best of several questions, and no score for a leg that is missing', () => {
    const seen: Record<string, object> = {};
    const spy: Fuse = (candidates) => {
      for (const { id, scores } of candidates) seen[id] = scores;
      return sum(candidates);
    };
    const asked = paragraph('asked', 'unlike', 90, { vectors: { simple_questions: [at(60), at(0)] } });
    expect(byComposite([...paragraphs, asked], spy)(question)[0]).toBe('middle');
    expect(seen.asked).toEqual({ paragraph: expect.closeTo(0), simple_questions: 1, lexical: 0 });
    expect(seen.near).toEqual({ paragraph: expect.closeTo(0.985, 3), lexical: 0 });
  });

  it('search the words of facets with those of the paragraph', () => {
    const all = [...paragraphs, paragraph('told', 'unlike', 70, { facetTexts: ['oranges'] })];
    expect(byComposite(all, sum)({ text: 'oranges', vector: at(70) })[0]).toBe('told');
  });

  it('take no candidate by words that has none of them', () => {
    const sixty = Array.from({ length: 60 }, (_, i) => paragraph(`p${i}`, i === 0 ? 'apples' : 'unlike', 90 - i));
    const candidates = byComposite(sixty, sum)(question);
    expect(candidates).toHaveLength(51); // the 50 nearest, and the farthest by its word
    expect(candidates).toContain('p0');
  });
});
