import { describe, expect, it } from 'vitest';
import { BERT_BORDERS } from './bert-borders.js';
import { unitsOf } from './text-units.js';

const pieces = (text: string, tokensOf: (piece: string) => number = () => 1): string[] =>
  unitsOf(text, BERT_BORDERS, tokensOf).map(({ start, end }) => text.slice(start, end));

describe('the units of a text', () => {
  it('are its words, with the marks that touch them', () => {
    expect(pieces('One, two —\u00a0three!')).toEqual(['One,', 'two', '—', 'three!']);
  });

  it('carry the tokens of each, counted once per distinct word', () => {
    const counted: string[] = [];
    const units = unitsOf('so so it is so', BERT_BORDERS, (piece) => counted.push(piece));
    expect(units.map(({ tokens }) => tokens)).toEqual([1, 1, 2, 3, 1]);
    expect(counted).toEqual(['so', 'it', 'is']);
  });

  it('are parts of a word that is long in tokens, cut where BERT’s tokenizer parts it anyway', () => {
    const perCharacter = (piece: string): number => piece.length;
    expect(pieces('see https://example.org/a-rather-long-way ok', perCharacter)).toEqual(
      'see https : / / example . org / a - rather - long - way ok'.split(' '),
    );
    expect(pieces(`${'春天'.repeat(17)}`, perCharacter)).toHaveLength(34);
  });

  it('are never longer than the longest word that BERT’s tokenizer reads', () => {
    expect(pieces('x'.repeat(250), () => 99).map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('hold characters together that are not space to BERT’s tokenizer', () => {
    expect(pieces('a\u000bb \ufeffc')).toEqual(['a\u000bb', '\ufeffc']);
  });
});
