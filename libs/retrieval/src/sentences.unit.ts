import { describe, expect, it } from 'vitest';
import { codePointsBefore, sentencesOf } from './sentences.js';

const texts = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

describe('sentencesOf', () => {
  it('cuts at full stops, question and exclamation marks, with the quotes that close them', () => {
    expect(texts('He left. “Why?” she asked. Nobody knew!  It rained.')).toEqual([
      'He left.',
      '“Why?” she asked.',
      'Nobody knew!',
      'It rained.',
    ]);
  });

  it('does not cut after abbreviations, initials, ordinals and decimals', () => {
    expect(texts('Dr. Hansen met J. K. Rowling, e.g. in 1.5 hours. It went well.')).toHaveLength(2);
    expect(texts('Den 4. juli 1776 blev den underskrevet, bl.a. af Adams. Han var glad.')).toHaveLength(2);
    expect(texts('It began in 1990. The wall was down.')).toHaveLength(2);
  });

  it('keeps list items and table rows apart and whole', () => {
    expect(texts('Bring:\n- Two eggs. Fresh ones\n- Milk\n1. First mix')).toEqual([
      'Bring:',
      '- Two eggs.',
      'Fresh ones',
      '- Milk',
      '1. First mix',
    ]);
    expect(texts('Name | Note\nBolt M8 | Zinc. Sold by 100\nNut | Brass')).toEqual([
      'Name | Note',
      'Bolt M8 | Zinc. Sold by 100',
      'Nut | Brass',
    ]);
  });

  it('reads over the ends of wrapped lines', () => {
    const wrapped = 'The quick brown fox jumps over the lazy dog and then it\nruns away into the woods. It is gone.';
    expect(texts(wrapped)).toHaveLength(2);
  });

  it('gives offsets into the text', () => {
    const text = '  One.\n\nTwo 𝒶. Three.';
    for (const sentence of sentencesOf(text)) expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
  });

  it('knows the full stops of Chinese and Japanese, and gives nothing for blank text', () => {
    expect(texts('北京是首都。人口两千万。')).toHaveLength(2);
    expect(texts(' \n ')).toEqual([]);
  });
});

describe('codePointsBefore', () => {
  it('counts a pair of surrogates once', () => {
    expect(codePointsBefore('𝒶b𝒸d', 3)).toBe(2);
    expect(codePointsBefore('𝒶b𝒸d', 5)).toBe(3);
    expect(codePointsBefore('abc', 2)).toBe(2);
  });
});
