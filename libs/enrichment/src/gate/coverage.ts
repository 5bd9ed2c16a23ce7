import { keyPhrases } from '../extractive/key-phrases.js';
import { numbersIn } from './numbers.js';
import { stemsOf } from './words.js';

/** A paragraph's facts are its names and terms, as many as this, and its numbers. */
const MOST_PHRASES = 12;

/** The share of a paragraph's facts that questions name, 0…1; 1 where it has none. A phrase is named by half of its words. */
export const coverage = (text: string, questions: readonly string[]): number => {
  const all = questions.join('\n');
  const stems = stemsOf(all);
  const asked = new Set(numbersIn(all).flatMap(({ readings }) => readings));
  const phrases = keyPhrases(text, MOST_PHRASES).map((phrase) => [...stemsOf(phrase)]);
  const facts = [
    ...phrases.map((parts) => parts.filter((stem) => stems.has(stem)).length * 2 >= parts.length),
    ...numbersIn(text).map(({ readings }) => readings.some((one) => asked.has(one))),
  ];
  return facts.length === 0 ? 1 : facts.filter(Boolean).length / facts.length;
};
