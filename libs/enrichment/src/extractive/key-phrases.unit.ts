import { describe, expect, it } from 'vitest';
import { keyPhrases } from './key-phrases.js';

describe('keyPhrases', () => {
  it('takes names and neighbouring long words, in the order of the text', () => {
    expect(keyPhrases('The annual harvest festival was opened by John C. Messenger and Queen Margrethe.', 9)).toEqual([
      'annual harvest festival',
      'John C. Messenger',
      'Queen Margrethe',
    ]);
  });

  it('takes no word that is large only because it opens a sentence', () => {
    expect(keyPhrases('Kunden betaler. Kunden opsiger abonnementet.', 9)).not.toContain('Kunden');
    expect(keyPhrases('Several people came to Aarhus.', 9)).toEqual(['Aarhus']);
  });

  it('keeps codes and drops bare numbers', () => {
    expect(keyPhrases('See INV-2024-0012 of 17 and 3,500.', 9)).toEqual(['INV-2024-0012']);
  });

  it('leaves out a phrase that another one holds', () => {
    expect(keyPhrases('In Warsaw the Warsaw Uprising began.', 9)).toEqual(['Warsaw Uprising']);
  });

  it('finds words where no spaces stand between them', () => {
    expect(keyPhrases('東京は日本の首都です。', 9)).toEqual(['東京', '日本', '首都']);
  });

  it('gives at most as many as asked for', () =>
    expect(keyPhrases('Ann met Bo, Carl, Dorte and Emil in Odense.', 2)).toHaveLength(2));
});
