import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.js';

describe('the estimate of a text’s tokens', () => {
  it('is none for an empty text, and one for a short word', () => {
    expect(estimateTokens(' \n')).toBe(0);
    expect(estimateTokens('a word is so')).toBe(4);
  });

  it('counts long words by their length, and accents double', () => {
    expect(estimateTokens('paragraphs')).toBe(3);
    expect(estimateTokens('særlig')).toBe(2);
  });

  it('counts each character of scripts without spaces', () => {
    expect(estimateTokens('春天的早晨')).toBe(5);
    expect(estimateTokens('ฤดูใบไม้ผลิ')).toBe(11);
  });

  it('is never less for the parts of a word than for the whole', () => {
    const word = 'sammensatteordkanblivemegetlangepådansk';
    for (let cut = 1; cut < word.length; cut++)
      expect(estimateTokens(word.slice(0, cut)) + estimateTokens(word.slice(cut))).toBeGreaterThanOrEqual(
        estimateTokens(word),
      );
  });
});
