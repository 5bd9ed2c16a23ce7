import { describe, expect, it } from '@jest/globals';
import { lexicalTerms, termHash, termList } from './lexical-terms.js';

describe('the terms of the lexical leg', () => {
  it('are runs of letters, digits and underscores in lower case', () => {
    expect(lexicalTerms('The file_name of INV-2024-0012, "paid".')).toEqual([
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
    expect(lexicalTerms('Ærø, naïve, ΑΒΓ, हिन्दी')).toEqual(['ærø', 'naïve', 'αβγ', 'हिन्दी']);
  });

  it('are the same for one letter and the same letter composed, a ligature, or a wide digit', () => {
    expect(lexicalTerms('e\u0301t ﬁnd ４２')).toEqual(['ét', 'find', '42']);
  });

  it('are overlapping pairs where a script has no spaces', () => {
    expect(lexicalTerms('東京都 に')).toEqual(['東京', '京都', 'に']);
  });

  it('are none where there is no word', () => {
    expect(lexicalTerms(' -- ?! ""')).toEqual([]);
  });

  it('hash to 32 bits, in order and as often as they stand there', () => {
    const list = termList(['b', 'a', 'b']);
    expect([...list]).toEqual([termHash('a'), termHash('b'), termHash('b')].sort((a, b) => a - b));
  });
});
