import { describe, expect, it } from 'vitest';
import { seeded } from '@postmaster/testing';
import { foldRepeats, unfolded } from './fold-repeats.js';

const LONG =
  'The boiler stands in the cellar under the stairs and its pressure should stay near one and a half bar all through ' +
  'the winter months so call the plumber when it falls below that mark twice in a week';
const fold = (...texts: string[]) => foldRepeats(texts, (text) => text);

describe('near-duplicates', () => {
  it.each([
    ['the same text', LONG, LONG],
    ['other case, signs and line ends', 'Keep calm, carry on.', 'KEEP CALM —\ncarry on'],
    ['one other word among many', LONG, LONG.replace('plumber', 'landlord')],
    ['a text of two words', 'Kind regards', 'kind regards!'],
    ['Danish letters composed in another way', 'Smør på brødet', 'Smør på brødet'.normalize('NFD')],
  ])('fold: %s', (_, better, other) => expect(fold(better, other)).toEqual([[better, other]]));

  it.each([
    ['another number', LONG.replace('one', '1'), LONG.replace('one', '2')],
    ['a short text with one other word', 'The boiler is in the cellar.', 'The boiler is in the attic.'],
    ['two short texts', 'Kind regards', 'Dear all'],
    ['half of a text', LONG, LONG.slice(0, LONG.length / 2)],
    ['the same words in another order', 'dog bites man', 'man bites dog'],
  ])('stay apart: %s', (_, better, other) => expect(fold(better, other)).toEqual([[better], [other]]));

  it('are compared with the best of their fold alone: small changes make no chain', () => {
    const words = LONG.split(' ');
    const changed = (many: number) => words.map((word, at) => (at % 9 === 4 && at < 9 * many ? 'x' : word)).join(' ');
    const chain = [0, 1, 2, 3].map(changed);
    expect(fold(...chain)[0]).toEqual([chain[0], chain[1]]);
    expect(fold(...chain).length).toBeGreaterThan(1);
  });

  it('are read only until there are enough folds, or items', () => {
    const read: string[] = [];
    const texts = (function* () {
      for (const text of ['a', 'a', 'b', 'c', 'd']) yield (read.push(text), text);
    })();
    expect(foldRepeats(texts, (text) => text, { most: 2 })).toEqual([['a', 'a'], ['b']]);
    expect(read).toEqual(['a', 'a', 'b', 'c']);
    expect(foldRepeats(['a', 'a', 'b'], (text) => text, { atMost: 2 })).toEqual([['a', 'a']]);
    expect(unfolded(['a', 'a', 'b'], { most: 2 })).toEqual([['a'], ['a']]);
  });

  it('keep every item once, the bests in order and none of them in another fold, whatever the texts', () => {
    const random = seeded(7);
    for (let round = 0; round < 50; round++) {
      const texts = Array.from({ length: 20 }, () => {
        const words = LONG.split(' ');
        for (let change = Math.floor(random() * 4); change > 0; change--)
          words[Math.floor(random() * words.length)] = `w${'abc'[Math.floor(random() * 3)]}`;
        return words.join(' ');
      });
      const folds = fold(...texts);
      const bests = folds.map(([best]) => best);
      expect(folds.flat().sort()).toEqual([...texts].sort());
      expect(bests.map((best) => texts.indexOf(best))).toEqual(
        bests.map((best) => texts.indexOf(best)).sort((a, b) => a - b),
      );
      expect(fold(...bests)).toEqual(bests.map((best) => [best]));
    }
  });
});
