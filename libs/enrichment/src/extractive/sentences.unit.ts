import { describe, expect, it } from 'vitest';
import { evenParts, sentences } from './sentences.js';

describe('sentences', () => {
  it('ends a sentence at its mark, in scripts with and without spaces', () => {
    expect(sentences('One is here. Two is there! Er der tre?')).toEqual([
      'One is here.',
      'Two is there!',
      'Er der tre?',
    ]);
    expect(sentences('今日は雨です。明日は晴れます。')).toEqual(['今日は雨です。', '明日は晴れます。']);
  });

  it('does not end one at an initial, an abbreviation or a number after one', () => {
    for (const whole of [
      'The hymn was translated by John C. Messenger in English.',
      'She met Dr. Holm in St. Augustine.',
      'Prisen er ca. 500 kr. om året, jf. Vol. 2 og bl.a. DSB.',
      'The U.S. Secretary of State spoke.',
    ])
      expect(sentences(whole)).toEqual([whole]);
  });

  it('ends one at a line end, so rows and items stand alone', () => {
    expect(sentences('- first item\n- second\titem\n')).toEqual(['- first item', '- second item']);
  });

  // By its square, this would take minutes: the test's own limit is what it would not keep.
  it('takes no time that grows with the square of a text', () => {
    expect(sentences(`${'A. '.repeat(4_000)}\n`.repeat(40))).toHaveLength(40);
  });

  it('gives none for a text without letters', () => expect(sentences(' \n ')).toEqual([]));
});

describe('evenParts', () => {
  it('keeps every sentence once and in order, in parts of about equal length', () => {
    expect(evenParts(['aaaa', 'bbbb', 'cc', 'dd', 'eeee', 'ffff'], 3)).toEqual(['aaaa bbbb', 'cc dd', 'eeee ffff']);
  });

  it('gives fewer parts where there are fewer sentences', () => {
    expect(evenParts(['only one'], 3)).toEqual(['only one']);
    expect(evenParts([], 3)).toEqual([]);
  });
});
