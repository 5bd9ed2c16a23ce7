import { unaccented } from '../gate/words.js';

const OF_NO_PLACE: ReadonlySet<string> = new Set(['QO', 'XA', 'XB', 'ZZ', 'EZ']);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const CODES = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => !OF_NO_PLACE.has(code));

/** What people write beside the names that Unicode has. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  US: ['usa', 'us', 'united states of america', 'de forenede stater', 'amerikas forenede stater'],
  GB: ['uk', 'great britain', 'det forenede kongerige', 'united kingdom of great britain'],
  EU: ['eu', 'den europæiske union'],
  UN: ['un', 'fn', 'de forenede nationer'],
  NL: ['the netherlands', 'holland'],
  CZ: ['czech republic', 'tjekkiet'],
  RU: ['russian federation'],
};
const ORGANISATIONS: ReadonlySet<string> = new Set(['EU', 'UN']);

export interface Region {
  /** Its English name, in lower case. */
  key: string;
  type: 'place' | 'organisation';
}

const read = (): Map<string, Region> => {
  const names = ['en', 'da'].map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  const found = new Map<string, Region>();
  for (const code of CODES) {
    const english = names[0]?.of(code);
    if (!english) continue;
    const region: Region = { key: plain(english), type: ORGANISATIONS.has(code) ? 'organisation' : 'place' };
    for (const name of [...names.map((each) => each.of(code)), ...(OTHERS[code] ?? [])])
      if (name && !found.has(plain(name))) found.set(plain(name), region);
  }
  return found;
};

const plain = (name: string): string => unaccented(name.toLowerCase()).replace(/^(?:the|den|det|de) /u, '');

let regions: Map<string, Region> | undefined;

/** The country, or union of countries, of a name in lower case, Danish or English, of either genitive: one of both languages. */
export const regionOf = (name: string): Region | undefined => {
  regions ??= read();
  const words = plain(name);
  return regions.get(words) ?? (words.endsWith('s') && words.length > 4 ? regions.get(words.slice(0, -1)) : undefined);
};

let languages: ReadonlySet<string> | undefined;

/** Whether a word is a language's or a people's ("Danish", "German"), and names nothing of itself. */
export const isPeople = (word: string): boolean => {
  languages ??= new Set(
    LETTERS.flatMap((a) =>
      LETTERS.map((b) => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of((a + b).toLowerCase())),
    )
      .filter((name) => name !== undefined)
      .map((name) => name.toLowerCase()),
  );
  const one = word.toLowerCase().replace(/s$/u, '');
  return (
    languages.has(word.toLowerCase()) || languages.has(one) || PEOPLE.has(one) || /(?:ish|ese|ian|ean|ians)$/u.test(one)
  );
};
const PEOPLE: ReadonlySet<string> = new Set(
  `american african british christian muslim jewish jew roman greek swis dane swede german asian european scot
  protestant catholic buddhist hindu arab turk`.split(/\s+/u),
);
