import { describe, expect, it } from 'vitest';
import type { Facets } from '@postmaster/contracts';
import type { FacetInput } from '../facet-model.js';
import { datesIn, sameDate } from './dates.js';
import { gateGround } from './gate-ground.js';
import { judgeFacets, toCompare } from './judge-facets.js';
import { numbersHeldBy, numbersIn } from './numbers.js';

const input: FacetInput = {
  title: 'Personalehåndbog for Nordkajen',
  trail: ['Barsel'],
  before: 'Løn under sygdom udbetales af Vestbanken.',
  text: 'Forældre på Nordkajen har 24 ugers orlov med fuld løn. Orloven skal varsles til Birgit Holm senest 12. marts 2024 og koster 1.250,50 kr. i gebyr.',
  after: '',
  language: 'da',
};
const others = [
  'Rengøring af kantinens køkken sker hver fredag, og opvaskemaskinen tømmes af vagten.',
  'Parkering kræver tilladelse fra porten; cykler stilles i kælderen.',
];
const ground = gateGround(input, others, (text) => (/\b(?:the|parents|say)\b/i.test(text) ? 'en' : null));
const reply = (simple: string[], also: Partial<Facets> = {}): Facets => ({
  simpleQuestions: simple.map((text) => ({ text })),
  complexQuestions: [],
  ...{ context: '', scope: '', model: 'm', promptVersion: 'p', quality: null },
  ...also,
});
const MANY = { simple: 9, complex: 9 };
const reasons = (simple: string[], also?: Partial<Facets>) =>
  judgeFacets(ground, reply(simple, also), MANY).rejected.map(({ reason }) => reason);

describe('the gate keeps a question', () => {
  it.each([
    'Hvor mange ugers orlov har forældre på Nordkajen?',
    'Hvem skal orloven varsles til senest den 12.3.2024?',
    'Hvad koster det i gebyr at varsle orloven, 1250,50 kr. eller mindre?',
    'Hvor lang er orloven med fuld løn hos Nordkajens forældre?',
    'Hvor mange uger, fireogtyve eller flere, har forældre i orlov?',
  ])('%s', (text) => expect(reasons([text])).toEqual([]));

  it('with how well it stood the checks', () => {
    const { facets } = judgeFacets(
      ground,
      reply(['Hvor mange ugers orlov har forældre?', 'Hvad sker der med løn?']),
      MANY,
    );
    const [near, far] = facets.simpleQuestions.map(({ quality }) => quality ?? 0);
    expect(near).toBeGreaterThan(far ?? 1);
    expect(facets.quality).toBeGreaterThan(0);
    expect(facets.quality).toBeLessThanOrEqual(1);
  });
});

describe('the gate drops a question', () => {
  it.each([
    ['NOT_A_QUESTION', 'Orlov for forældre på Nordkajen.'],
    ['NOT_A_QUESTION', 'Hvor lang er orloven?\nSvar: 24 uger?'],
    ['HAS_LINK', 'Hvor mange ugers orlov står der på https://evil.example?'],
    ['HAS_LINK', 'Hvor lang er orloven ![x](//evil.example)?'],
    ['NEEDS_THE_TEXT', 'Hvad siger dette afsnit om orlov?'],
    ['WRONG_LANGUAGE', 'How many weeks of leave do parents have?'],
    ['UNKNOWN_NAME', 'Hvor mange ugers orlov giver Sydhavnen forældre?'],
    ['UNKNOWN_NUMBER', 'Hvorfor har forældre 26 ugers orlov?'],
    ['UNKNOWN_DATE', 'Hvem skal orloven varsles til senest den 13. marts 2024?'],
    ['ANSWERED_ELSEWHERE', 'Hvor stilles cykler i kælderen under orlov?'],
  ])('%s: %s', (reason, text) => expect(reasons([text])).toEqual([reason]));

  it('that asks the same as another, of either kind', () => {
    const asked = 'Hvor mange ugers orlov har forældre?';
    const again = 'Kan du fortælle mig, hvor mange ugers orlov forældre har?';
    expect(reasons([asked, again])).toEqual(['REPEATED']);
    expect(reasons([asked], { complexQuestions: [{ text: again }] })).toEqual(['REPEATED']);
    expect(reasons([asked, 'Hvornår har forældre orlov?'])).toEqual([]);
  });

  it('above the number asked for', () => {
    const two = reply(['Hvor mange ugers orlov har forældre?', 'Hvem er Birgit Holm?']);
    expect(judgeFacets(ground, two, { simple: 1, complex: 0 }).rejected).toEqual([
      { part: 'simple_questions', reason: 'TOO_MANY', text: 'Hvem er Birgit Holm?' },
    ]);
  });
});

describe('of context and scope', () => {
  it('the sentences and phrases stay that say nothing new', () => {
    const { facets, rejected } = judgeFacets(
      ground,
      reply([], {
        context: 'Om orlov på Nordkajen. Reglen gælder 77 ansatte.',
        scope: 'orlov, Kasper Winther, fuld løn',
      }),
      MANY,
    );
    expect(facets).toMatchObject({ context: 'Om orlov på Nordkajen.', scope: 'orlov, fuld løn' });
    expect(rejected.map(({ part, reason }) => [part, reason])).toEqual([
      ['context', 'UNKNOWN_NUMBER'],
      ['scope', 'UNKNOWN_NAME'],
    ]);
  });
});

describe('a question that shares more words with another paragraph', () => {
  const question = 'Hvem tømmer opvaskemaskinen hver fredag under orlov?';
  const towards = (own: number): ReadonlyMap<string, Float32Array> =>
    new Map([
      [question, Float32Array.of(1, 0)],
      ...ground.texts.map((text, at): [string, Float32Array] => [text, Float32Array.of(at === 0 ? own : 0.2, 0)]),
    ]);

  it('is settled by vectors', () => {
    const compared = toCompare(ground, reply([question, 'Hvor lang er orloven?']));
    expect(compared.slice(0, 2)).toEqual([question, ground.input.text]);
    expect(compared.length).toBeLessThanOrEqual(5);
    expect(judgeFacets(ground, reply([question]), MANY, towards(0.9)).rejected).toEqual([]);
    expect(judgeFacets(ground, reply([question]), MANY, towards(0.1)).rejected).toMatchObject([
      { reason: 'ANSWERED_ELSEWHERE' },
    ]);
  });
});

describe('Danish and English say the same', () => {
  it.each([
    ['1.234,5', '1,234.5'],
    ['5,4 %', '5.4 percent'],
    ['1,5 mio.', '1.5 million'],
    ['1.500.000', '1.5 million'],
    ['fireogtyve', '24'],
    ['twenty-four', '24'],
    ["1990'erne", '1994'],
    ['19th century', '1843'],
    ['1800-tallet', '1843'],
    ['6½', '6.5'],
    ['2007-08', '2007–2008'],
  ])('%s and %s', (one, other) => expect(numbersIn(one).every(numbersHeldBy(other))).toBe(true));

  it.each([
    ['24', '25'],
    ['1.5 million', '1.6 million'],
    ['1990s', '1984'],
  ])('but not %s and %s', (one, other) => expect(numbersIn(one).every(numbersHeldBy(other))).toBe(false));

  it.each([
    ['12. marts 2024', 'March 12, 2024'],
    ['12. marts 2024', '2024-03-12'],
    ['12/3/2024', '12 March 2024'],
    ['marts 2024', 'March 12, 2024'],
    ['den 1. maj', '1 May 2020'],
  ])('%s and %s', (one, other) =>
    expect(datesIn(one).dates[0]!.some((a) => datesIn(other).dates[0]!.some((b) => sameDate(a, b)))).toBe(true),
  );

  it('but another day is another date', () =>
    expect(sameDate(datesIn('12. marts')!.dates[0]![0]!, datesIn('March 13')!.dates[0]![0]!)).toBe(false));
});
