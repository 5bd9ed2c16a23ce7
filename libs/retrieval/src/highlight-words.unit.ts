import { describe, expect, it } from 'vitest';
import { seeded } from '@postmaster/testing';
import { highlightWords } from './highlight-words.js';
import { weighedWords } from './question-words.js';

const marked = (text: string, question: string): string[] => {
  const points = [...text];
  return highlightWords(text, weighedWords(question)).map(({ start, end }) => points.slice(start, end).join(''));
};

describe('highlights', () => {
  it.each([
    ['whole words that share a stem', 'Boilers need service; the boiler’s valve too.', 'boiler', ['Boilers', 'boiler']],
    ['compounds', 'Kedeltrykket bør være 1,5 bar.', 'Hvad er trykket?', ['Kedeltrykket']],
    ['no function words', 'Where is the boiler?', 'where is the valve', []],
    ['a number as one place', 'Near 1.5 bar, not 15.', 'pressure of 1.5', ['1.5']],
    ['a code as one place', 'Invoice INV-2024-0012 was paid.', 'INV-2024-0012', ['INV-2024-0012']],
    [
      'letters of any case and composition',
      'SMØRREBRØD'.normalize('NFD'),
      'smørrebrød',
      ['SMØRREBRØD'.normalize('NFD')],
    ],
    ['what stands after letters of two UTF-16 units', '𝒶𝒷 🙂 boiler', 'boiler', ['boiler']],
    ['the words within a run without spaces', '東京都の図書館は九時に開く', '図書館', ['図書館']],
    ['nothing for nothing', '', 'boiler', []],
  ])('are %s', (_, text, question, expected) => expect(marked(text, question)).toEqual(expected));

  it('lie within the text, in order and apart, in whatever order the words come', () => {
    const random = seeded(5);
    const letters = ['boiler', 'tryk', '1.5', '🙂', '図書館', ' ', ', ', '-', '\n', 'å'];
    for (let round = 0; round < 100; round++) {
      const text = Array.from({ length: 30 }, () => letters[Math.floor(random() * letters.length)]).join('');
      const words = weighedWords('boiler tryk 1.5 図書館 å');
      const spans = highlightWords(text, words);
      expect(highlightWords(text, words.toReversed())).toEqual(spans);
      spans.forEach(({ start, end }, i) => {
        expect(start).toBeGreaterThanOrEqual(i === 0 ? 0 : spans[i - 1]!.end + 1);
        expect(end).toBeGreaterThan(start);
      });
      expect(spans.at(-1)?.end ?? 0).toBeLessThanOrEqual([...text].length);
    }
  });
});
