import { describe, expect, it } from 'vitest';
import { codesOf, wordsOf } from './text-words.js';

describe('the words of a text', () => {
  it('are runs of letters, digits and underscores in lower case', () => {
    expect(wordsOf('The file_name of INV-2024-0012, "paid".')).toEqual([
      'the',
      'file_name',
      'of',
      'inv',
      '2024',
      '0012',
      'paid',
    ]);
  });

  it('keep accents and the letters of every script', () => {
    expect(wordsOf('Ærø, naïve, ΑΒΓ, हिन्दी')).toEqual(['ærø', 'naïve', 'αβγ', 'हिन्दी']);
  });

  it('are the same for one letter and the same letter composed, a ligature, or a wide digit', () => {
    expect(wordsOf('e\u0301t ﬁnd ４２')).toEqual(['ét', 'find', '42']);
  });

  it('are overlapping pairs where a script has no spaces', () => {
    expect(wordsOf('東京都 に')).toEqual(['東京', '京都', 'に']);
  });

  it('are none where there is no word', () => {
    expect(wordsOf(' -- ?! ""')).toEqual([]);
  });
});

describe('the codes of a text', () => {
  it.each([
    ['Fault E-42, twice.', ['e-42']],
    ['See INV-2024-0031.', ['inv-2024-0031']],
    ['ISO 27001:2022', ['27001:2022']],
    ['på 31.01.2024 kl. 14:30', ['31.01.2024', '14:30']],
    ['3.14 eller 3,14', ['3.14', '3,14']],
    ['Skriv til Anna.Ø@Example.dk!', ['anna.ø@example.dk']],
    ['and/or well-known, 2024 - 2025', []],
    ['x'.repeat(100_000), []],
  ])('%.40s: %j', (text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });
});

it('cuts a run that is no word, however long, instead of running out of stack', () => {
  for (const letter of ['l', 'ø']) {
    const run = letter.repeat(5_000_000);
    expect(wordsOf(run)).toHaveLength(5_000);
    expect(codesOf(run)).toEqual([]);
  }
});
