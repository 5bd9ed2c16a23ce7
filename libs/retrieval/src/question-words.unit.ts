import { describe, expect, it } from 'vitest';
import { seeded } from '@postmaster/testing';
import { holds, legible, shareHeld, weighedWords } from './question-words.js';

const weights = (text: string) => Object.fromEntries(weighedWords(text).map(({ stem, weight }) => [stem, weight]));
const share = (question: string, text: string) => shareHeld(legible(text), weighedWords(question));

describe('legible', () => {
  it('hears plain text as it hears any other', () => {
    const random = seeded(3);
    const signs = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    for (let round = 0; round < 100; round++) {
      const text = Array.from({ length: 40 }, () => signs[Math.floor(random() * signs.length)]).join('');
      const wordsOf = (one: string): string[] => legible(one).trim().split(' ').filter(Boolean);
      expect(wordsOf(text)).toEqual(wordsOf(`${text} å`).slice(0, -1));
    }
  });
});

describe('weighedWords', () => {
  it('leaves out what a question is asked with', () => {
    expect(weighedWords('What is the name of it?')).toEqual([]);
    expect(weighedWords('Hvor mange er der, og hvornår?')).toEqual([]);
  });

  it('weighs names and numbers above other words, and long ones above short ones', () => {
    const {
      luke = 0,
      '2015': year = 0,
      defen = 0,
      won = 0,
    } = weights('Which defense did Luke have when they won in 2015?');
    expect(luke).toBeGreaterThan(defen);
    expect(year).toBeGreaterThan(defen);
    expect(defen).toBeGreaterThan(won);
  });

  it('does not take the first word or a shouted question for names, but acronyms', () => {
    expect(weighedWords('Tackles of Davis')[0]).toMatchObject({ name: false });
    expect(weighedWords('WHO WON THE GAME').some(({ name }) => name)).toBe(false);
    expect(weighedWords('NATO members')[0]).toMatchObject({ name: true });
  });

  it('pairs the characters of scripts without spaces', () => {
    expect(share('北京的人口', '人口在北京超过两千万')).toBeGreaterThan(0.4);
  });
});

describe('shareHeld', () => {
  it('finds a word in its other forms', () => {
    for (const [question, text] of [
      ['forsvarets spillere', 'Forsvaret har en spiller'],
      ['tackles', 'He tackled twice'],
      ['spillere', 'En forsvarsspiller'],
      ['Panthers', "the Panthers' defense"],
    ] as const)
      expect(share(question, text)).toBe(1);
  });

  it('takes short words and numbers only whole', () => {
    const [art] = weighedWords('art');
    expect(holds(legible('a party'), art!)).toBe(false);
    expect(share('20', 'in 2015')).toBe(0);
  });

  it('is 0 for a question of function words alone', () => {
    expect(share('what is it?', 'what it is')).toBe(0);
  });
});
