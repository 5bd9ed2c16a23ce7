import { describe, expect, it } from 'vitest';
import { bm25, wordsOf } from './bm25.js';

describe('wordsOf', () => {
  it('cuts at everything but letters, digits and underscores of any script', () => {
    expect(wordsOf('Årets Øl-fest, INV_12: 東京!')).toEqual(['årets', 'øl', 'fest', 'inv_12', '東京']);
  });
});

describe('bm25', () => {
  const score = bm25(['red fish blue fish', 'red bird', 'green tree here now']);

  it('gives the score of a worked example', () => {
    // fish: N 3, n 1, idf ln(1 + 2.5/1.5) = .98083; tf 2, length 4, mean 10/3: × 2·2.2 / (2 + 1.2·(.25 + .75·1.2))
    expect(score('fish')[0]).toBeCloseTo((0.980829 * 4.4) / 3.38, 5);
    expect([...score('fish')].slice(1)).toEqual([0, 0]);
  });

  it('counts each word of the question once', () => expect(score('fish fish red')).toEqual(score('red FISH')));

  it('prefers the shorter of two texts with the same word', () => {
    const [long, short] = score('red');
    expect(short).toBeGreaterThan(long!);
  });

  it('gives every text 0 where no word matches', () => expect([...score('whale')]).toEqual([0, 0, 0]));
});
