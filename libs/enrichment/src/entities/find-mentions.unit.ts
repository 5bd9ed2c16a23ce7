import { describe, expect, it } from 'vitest';
import { comeTogether } from './come-together.js';
import { findMentions } from './find-mentions.js';
import { nameKey } from './name-key.js';
import { genitiveOf, sameNames } from './same-names.js';

const found = (text: string, language: string | null = null): string[] =>
  findMentions(text, language).mentions.map(({ name, type }) => `${type} ${name}`);

const TEXTS: readonly (readonly [rule: string, text: string, names: readonly string[]])[] = [
  ['a person by a first name', 'I går mødte Lone Vestergaard sin nabo.', ['person Lone Vestergaard']],
  ['a person by a title, which is no part of it', 'The report by Dr. Kawann Short is late.', ['person Kawann Short']],
  ['a Danish title', 'Vi talte med fru Bruun og hr. Toft.', ['person Bruun', 'person Toft']],
  ['initials', 'A novel by J. K. Rowling was read.', ['person J. K. Rowling']],
  ['what only persons do', 'It was Guglielmo Marconi wrote about.', ['person Guglielmo Marconi']],
  ['a company by its form', 'Fakturaen er fra Byggefirmaet Elm ApS.', ['organisation Byggefirmaet Elm ApS']],
  ['an English one', 'We bought it from Acme Widgets, Inc. in May.', ['organisation Acme Widgets, Inc']],
  [
    'an organisation by a word',
    'Aarhus Kommune svarede Danske Bank.',
    ['organisation Aarhus Kommune', 'organisation Danske Bank'],
  ],
  ['one with small words', 'She left the Ministry of Foreign Affairs.', ['organisation Ministry of Foreign Affairs']],
  ['one in Danish', 'Det siger Ministeriet for Fødevarer nu.', ['organisation Ministeriet for Fødevarer']],
  ['countries and cities', 'Han rejste fra Danmark til Prag.', ['place Danmark', 'place Prag']],
  ['streets', 'Butikken på Algade og på Nordre Fjordvej.', ['place Algade', 'place Nordre Fjordvej']],
  ['places by a word', 'They crossed the James River at San Diego.', ['place James River', 'place San Diego']],
  [
    'products written as no other word is',
    'An iPhone 15 runs no PostgreSQL.',
    ['product iPhone 15', 'product PostgreSQL'],
  ],
  ['codes', 'Ordren NN-4711 og fakturaen F2026-118 er betalt.', ['code NN-4711', 'code F2026-118']],
  [
    'days and months',
    'Den 1. april 2026, on May 3, 2026 and in June 2025.',
    ['date 1. april 2026', 'date May 3, 2026', 'date June 2025'],
  ],
  ['no genitive with an apostrophe', "We read Ada Lovelace's notes.", ['other Ada Lovelace']],
  ['an acronym', 'The NFL and NATO met.', ['other NFL', 'other NATO']],
  ['the beginning of a sentence, where a name follows', 'Danske Bank tjente mere.', ['organisation Danske Bank']],
  ['no beginning that names nothing', 'Yesterday it rained. Prices rose. Vejret er godt.', []],
  ['a beginning that stands inside a sentence, too', 'Toft left. We saw Toft.', ['other Toft']],
  ['no months, weekdays, languages and peoples', 'On Monday in May the Danish spoke English.', []],
  ['nothing of a link or an address', 'See https://Example.org/Danske-Bank or mail Lone.Toft@Bank.dk.', []],
  ['no things of a name', 'En Apollo-rumdragt er dyr.', []],
  ['nothing where all is in capitals', 'BETAL NU TIL DANSKE BANK', []],
];

describe('what a paragraph names', () => {
  it.each(TEXTS)('has %s', (_, text, names) => {
    expect(found(text)).toEqual(names);
  });

  it('is counted, and quoted as it stands first', () => {
    const { mentions } = findMentions("Danske Bank said so. DANSKE BANK's clerk, and Danske Bank A/S, too.", 'en');
    expect(mentions).toEqual([{ key: 'danske bank', name: 'Danske Bank', type: 'organisation', count: 3 }]);
  });

  it('is codes and days alone where every noun has a capital', () => {
    expect(found('Der Hund von Frau Meier fraß NN-4711 am 3.5.2026.', 'de')).toEqual(['date 3.5.2026', 'code NN-4711']);
  });

  it('has at most 40 names, however long it is', () => {
    const text = Array.from(
      { length: 99 },
      (_, at) => `the town of X${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10)]} is`,
    );
    expect(findMentions(text.join(' '), 'en').mentions).toHaveLength(40);
    const began = findMentions('Lone Bruun said '.repeat(100_000), 'en').mentions;
    expect(began.map(({ key }) => key)).toEqual(['lone bruun']);
  });

  it.each([
    ['Danske Bank (DB) svarede.', { key: 'db', into: 'danske bank' }],
    ['DB (Danske Bank) svarede.', { key: 'db', into: 'danske bank' }],
    ['Vi spurgte SKAT (Skatteforvaltningen) om det.', { key: 'skat', into: 'skatteforvaltningen' }],
    ['The National Football League (NFL) met.', { key: 'nfl', into: 'national football league' }],
  ])('is told to be the same: %s', (text, told) => {
    expect(findMentions(text, null).told).toEqual([told]);
  });

  it('is not told to be the same by what stands in brackets otherwise', () => {
    expect(findMentions('Danske Bank (Ribe) and Danske Bank (NATO) met.', 'en').told).toEqual([]);
  });
});

describe('the key of a name', () => {
  it.each([
    ['Danske Bank', ['DANSKE BANK', 'Danske Bank A/S', 'the Danske Bank', "Danske Bank's", 'Danske  Bank']],
    ['Germany', ['Tyskland', 'germany', 'Tysklands', "Germany's"]],
    ['USA', ['U.S.', 'the United States', 'United States of America', 'USA']],
    ['Marks & Spencer', ['Marks and Spencer', 'Marks og Spencer Ltd.']],
    ['J. K. Rowling', ['J K Rowling']],
    ['Béthencourt', ['Bethencourt']],
  ])('is one for all forms of %s', (name, forms) => {
    expect(forms.map(nameKey)).toEqual(forms.map(() => nameKey(name)));
  });

  it.each([
    ['Danske Bank', 'Danske Spil'],
    ['Lars', 'Lar'],
    ['Køge', 'Koge'],
    ['ApS', 'A/S'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});

describe('names of one document', () => {
  const person = (key: string) => ({ key, type: 'person' as const, paragraph: 'p' });
  const other = (key: string) => ({ key, type: 'other' as const, paragraph: 'p' });
  const merged = (names: Parameters<typeof sameNames>[0]) =>
    sameNames(names).map(({ key, into, why }) => `${why}: ${key} = ${into}`);

  it('are one by initials, surname and abbreviation', () => {
    expect(
      merged([
        ...[person('lone vestergaard'), person('l vestergaard'), other('vestergaard'), other('vestergaards')],
        ...[other('nfl'), { ...other('national football league'), type: 'organisation' as const }],
      ]),
    ).toEqual([
      'initials: l vestergaard = lone vestergaard',
      'surname: vestergaard = lone vestergaard',
      'surname: vestergaards = lone vestergaard',
      'abbreviation: nfl = national football league',
    ]);
  });

  it('are nobody where two could be meant', () => {
    const two = [person('lone vestergaard'), person('lars vestergaard')];
    expect(merged([...two, other('vestergaard'), person('l vestergaard')])).toEqual([]);
  });

  it.each([
    ['danske banks', 'danske bank'],
    ['peters', undefined],
    ['ross', undefined],
    ['lars', undefined],
  ])('are a genitive where an s can be nothing else: %s', (key, base) => {
    expect(genitiveOf(key)).toBe(base);
  });
});

describe('what names come to', () => {
  const roots = (merges: Parameters<typeof comeTogether>[1], names = ['a', 'b', 'c']) =>
    Object.fromEntries([...comeTogether(new Set(names), merges)].filter(([key, root]) => key !== root));
  const told = (key: string, into: string) => ({ key, into, why: 'told' as const });

  it('follows reasons to the end', () => {
    expect(roots([told('a', 'b'), told('b', 'c')])).toEqual({ a: 'c', b: 'c' });
  });
  it('is nothing where reasons differ, or lead to a name that is not there', () => {
    expect(roots([told('a', 'b'), told('a', 'c')])).toEqual({});
    expect(roots([told('a', 'gone')])).toEqual({});
  });
  it('is what a person says, before all reasons: the same, or apart', () => {
    expect(roots([told('a', 'b'), { key: 'a', into: 'c', why: 'hand' }])).toEqual({ a: 'c' });
    expect(roots([told('a', 'b'), { key: 'a', into: 'a', why: 'hand' }])).toEqual({});
  });
  it('ends where reasons go round', () => {
    expect(roots([told('c', 'b'), told('b', 'a'), told('a', 'c')])).toEqual({ b: 'a', c: 'a' });
  });
});
