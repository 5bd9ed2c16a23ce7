import { withoutInstructions } from '@postmaster/contracts';
import { diversify } from './diversify.js';
import { isFunctionWord } from './function-words.js';
import type { Numbered } from './join-neighbours.js';
import { legible, stemOf } from './question-words.js';
import { isCode, isHeading, needsTheOneBefore } from './readable-sentence.js';
import { CELL, type Sentence, sentencesOf } from './sentences.js';

export interface RankedSentence {
  paragraph: Numbered['paragraph'];
  sentence: Sentence;
  /** 0…1: how central it is to the texts. */
  score: number;
}

/** Words of a sentence that can stand alone as a point. */
const [LEAST_WORDS, MOST_WORDS] = [5, 60];
/** The best so many are put in order by what they add. */
const CHOICE = 100;
const DIVERSITY = 0.5;
/** What a sentence that opens its document counts more; half of it for the second paragraph's, and so on. */
const OPENING = 0.3;

/**
 * The sentences that tell most of a set of documents, each next one being central and unlike those before (maximal
 * marginal relevance). Central is what shares its stems with many of the documents' paragraphs: the mean share of
 * paragraphs that hold a stem, over the sentence's content stems (as SumBasic weighs words: Nenkova and Vanderwende
 * 2005), and more so at a document's beginning. No headings, code, table rows, and nothing that leans on the sentence before.
 */
export const rankSentences = (paragraphs: readonly Numbered['paragraph'][]): RankedSentence[] => {
  const shown = paragraphs.map(({ text }) => withoutInstructions(text));
  const texts = shown.map((text) => new Set(stemsIn(text)));
  const holding = new Map<string, number>();
  for (const text of texts) for (const stem of text) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  const ranked = paragraphs.flatMap((paragraph, at) => {
    const sentences = sentencesOf(shown[at]!);
    return sentences.flatMap((sentence, order): RankedSentence[] => {
      if (!standsAlone(sentence, sentences.length)) return [];
      const stems = stemsIn(sentence.text);
      const central =
        stems.reduce((sum, stem) => sum + holding.get(stem)! / texts.length, 0) / Math.max(1, stems.length);
      const opening = 1 + OPENING / (1 + paragraph.position + order);
      return [{ paragraph, sentence, score: (central * opening) / (1 + OPENING) }];
    });
  });
  const best = ranked.sort((a, b) => b.score - a.score || inPlace(a, b)).slice(0, CHOICE);
  return diversify(best, ({ sentence, score }) => ({ text: sentence.text, score }), DIVERSITY, CHOICE);
};

/** At most `most` in that order, each document getting its turn before any gets another. */
export const spreadOverDocuments = <T extends Pick<RankedSentence, 'paragraph'>>(
  ranked: readonly T[],
  most: number,
): T[] => {
  const rounds = new Map<string, number>();
  return ranked
    .map((one) => {
      const round = rounds.get(one.paragraph.document) ?? 0;
      rounds.set(one.paragraph.document, round + 1);
      return { one, round };
    })
    .sort((a, b) => a.round - b.round) // stable
    .slice(0, most)
    .map(({ one }) => one);
};

const inPlace = (
  { paragraph: a, sentence: x }: RankedSentence,
  { paragraph: b, sentence: y }: RankedSentence,
): number => (a.id === b.id ? x.start - y.start : a.id < b.id ? -1 : 1);

const standsAlone = (sentence: Sentence, sentences: number): boolean => {
  const words = sentence.text.split(/\s+/).length;
  if (words < LEAST_WORDS || words > MOST_WORDS || sentence.text.includes(CELL)) return false;
  return !isHeading(sentence, sentences) && !isCode(sentence.text) && !needsTheOneBefore(sentence.text);
};

const stemsIn = (text: string): string[] =>
  legible(text)
    .trim()
    .split(' ')
    .filter((word) => word !== '' && !isFunctionWord(word))
    .map(stemOf);
