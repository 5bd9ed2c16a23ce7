import { describe, expect, it } from 'vitest';
import { bagOf, lexicalHashes, lexicalTerms, questionTerms, termHash, termsOfBag } from './lexical-terms.js';

const shared = (asked: string, text: string): number => {
  const held = new Set(lexicalTerms(text));
  return questionTerms(asked).reduce((sum, { term, weight }) => sum + (held.has(term) ? weight : 0), 0);
};

describe('a bag of words', () => {
  it('gives the terms of its text, each as often, and not the text', () => {
    const text = 'The keeper wrote E-42 to the keepers of the Børnehaverne, anna@example.com and to E-42.';
    expect(bagOf(text)).toBe(
      '42*2 and anna anna@example.com børnehaverne com e*2 e-42*2 example keeper keepers of the*3 to*2 wrote',
    );
    expect(termsOfBag(bagOf(text)).sort()).toEqual(lexicalTerms(text).sort());
  });
});

describe('the terms of the lexical leg', () => {
  it('are the words as written, the codes whole, and the pieces of five letters of each word without its ending', () => {
    expect(lexicalTerms('Børnehaverne i E-42')).toEqual([
      ...['børnehaverne', 'i', 'e', '42', 'e-42'],
      ...['~børne', '~ørneh', '~rneha', '~nehav'],
      ...['~i', '~e', '~42'],
    ]);
  });

  it.each([
    ['børnehave', 'børnehaverne'],
    ['skatteforvaltningens', 'skatteforvaltning'],
    ['forvaltning', 'Skatteforvaltningens'],
    ['rødgrøden', 'rødgrød'],
    ['huset', 'huse'],
    ['bil', 'bilernes'],
    ['boats', 'boat'],
    ['walking', 'walked'],
    ['universities', 'university'],
    ['A\u030ARSMØDE', 'årsmødet'],
  ])('let "%s" find "%s", which counts less than the same word', (asked, text) => {
    expect(shared(asked, text)).toBeGreaterThan(0);
    expect(shared(asked, text)).toBeLessThan(shared(asked, asked));
  });

  it.each([
    ['E-42', 'E-43'],
    ['INV-2024-0031', 'INV 0031 of 2024'],
    ['27001:2022', '27001'],
    ['3.14', '3 14'],
    ['anna@example.com', 'example@anna.com'],
  ])('tell the code "%s" from "%s", which has some of its parts', (asked, text) => {
    expect(shared(asked, text)).toBeGreaterThan(0);
    expect(shared(asked, text)).toBeLessThan(shared(asked, `(${asked.toLowerCase()}).`));
  });

  it.each([
    ['ø', 'o'],
    ['Åse', 'Ase'],
    ['2024', '20245'],
    ['0031', '31'],
    ['by', 'byg'],
  ])('keep "%s" and "%s" apart', (asked, text) => {
    expect(shared(asked, text)).toBe(0);
  });

  it('match names, numbers and codes of a text in another language', () => {
    expect(shared('What did Anders Fogh sign in INV-2024-0031?', 'Anders Fogh underskrev INV-2024-0031 i 2024.')).toBe(
      11,
    );
  });

  it('have no pieces of what is too long for a word', () => {
    expect(lexicalTerms('a'.repeat(65))).toHaveLength(1);
  });

  it('count a word of a question once, and its pieces together as a vector of length 1', () => {
    const terms = questionTerms('Pharmacist pharmacist');
    expect(terms[0]).toEqual({ term: 'pharmacist', weight: 1 });
    expect(terms.slice(1).reduce((sum, { weight }) => sum + weight ** 2, 0)).toBeCloseTo(1, 12);
  });

  it('hash to 32 bits, in order and as often as they stand there', () => {
    const text = `B a b. Børnehaverne, i E-42: 東京都 ${'x'.repeat(65)} anna@example.com`;
    for (let round = 0; round < 2; round++)
      expect([...lexicalHashes(text)]).toEqual(
        lexicalTerms(text)
          .map(termHash)
          .sort((a, b) => a - b),
      );
  });
});
