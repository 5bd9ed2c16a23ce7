import { monthOf } from './dates.js';
import { stemOf, stemsOf, type Word, wordsOf } from './words.js';

export const WEEKDAY =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag)(?:en|e)?s?$/iu;
/** With a capital in English where they are part of a name, which the other part tells. */
export const DIRECTION =
  /^(?:north|south|east|west|middle|central|north-?(?:east|west)|south-?(?:east|west))(?:ern)?$/iu;
const LEAST_PREFIX = 4;
const SHORTEST = 3;
/** Of the shorter word: "Italian" and "Italy" are one name, "Canada" and "Canary" are not. */
const SHARED_PREFIX = 0.75;

/**
 * The names and codes of a text, as they are written: words with a capital inside a sentence, and words of letters and
 * digits wherever they stand. Where every noun has a capital nothing can be told by it: of German only codes are read.
 */
export const namesIn = (text: string, language: string | null): string[] => {
  const words = wordsOf(text);
  if (!/\p{Ll}/u.test(text)) return []; // where all is in capitals, they tell nothing
  return words
    .filter((word, at) => isCode(word) || (language !== 'de' && isName(word, words[at + 1])))
    .map(({ text: name }) => name);
};

export const isCode = ({ text }: Word): boolean =>
  text.length >= SHORTEST_CODE && /\p{L}/u.test(text) && /\d/u.test(text) && !ORDINAL.test(text);
const SHORTEST_CODE = 4; // not CO2
const ORDINAL = /^\d+(?:\p{L}{1,3}(?:-\p{L}+)?|['’-]?\p{Ll}+)$/u; // 15th-century, 1800-tallet, 6-year

const isName = ({ text, first }: Word, next: Word | undefined): boolean => {
  if (!/^\p{Lu}/u.test(text) || text.length < 2 || (text.length < SHORTEST_CODE && /\d/u.test(text))) return false;
  if (monthOf(text) !== undefined || WEEKDAY.test(text) || DIRECTION.test(text)) return false;
  // A capital at the beginning is one of a name where another follows: "Kawann Short led", not "Which Short".
  return (
    !first ||
    (text.length > 3 && next !== undefined && !next.first && /^\p{Lu}\p{Ll}/u.test(next.text) && !ASKS.test(text))
  );
};
export const ASKS =
  /^(?:what|when|where|which|whose|whom|who|why|how|does|did|have|has|were|was|under|after|before|during|from|with|according|hvad|hvem|hvor\p{L}*|hvilke[nt]?|hvis|under|efter|ifølge|blev|havde|kunne|mellem|gennem|siden)$/iu;

/** A few names that everybody uses for each other, whichever of them a text has. */
const SAME: readonly (readonly string[])[] = [
  ['us', 'usa', 'unit', 'states', 'america', 'american', 'amerika', 'amerikansk', 'forened'],
  ['uk', 'unit', 'kingdom', 'brita', 'britain', 'british', 'england', 'britisk', 'storbritanni', 'storbritannien'],
  ['eu', 'europe', 'european', 'europa', 'europæisk'],
];

/** Which names a text holds, in whatever form: genitives, parts of compounds, the initials of what is written out. */
export const namesHeldBy = (text: string): ((name: string) => boolean) => {
  const stems = stemsOf(text);
  for (const group of SAME)
    if (group.some((one) => stems.has(stemOf(one)))) for (const one of group) stems.add(stemOf(one));
  const initials = initialsIn(text);
  const byStart = new Map<string, string[]>();
  for (const stem of stems) {
    const start = stem.slice(0, SHORTEST);
    byStart.set(start, [...(byStart.get(start) ?? []), stem]);
  }
  const long = [...stems].filter((stem) => stem.length > LEAST_PREFIX);
  const holds = (stem: string): boolean =>
    stems.has(stem) ||
    (byStart.get(stem.slice(0, SHORTEST)) ?? []).some((other) => related(stem, other)) ||
    long.some((other) => stem.endsWith(other) || (stem.length > LEAST_PREFIX && other.endsWith(stem))); // Syditalien, Italien
  return (name) => {
    if (holds(stemOf(name)) || initials.includes(` ${name.replace(/[.\s-]|['’]?s$/gu, '').toLowerCase()} `))
      return true;
    const parts = name.split(/[-/&'’]/u).filter((part) => /^\p{Lu}|\d/u.test(part) && part.length > 1);
    return (
      /[-/&]/u.test(name) && parts.every((part) => holds(stemOf(part)) || initials.includes(` ${part.toLowerCase()} `))
    );
  };
};

const related = (a: string, b: string): boolean => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (at === short.length) return short.length >= LEAST_PREFIX || long.length - short.length <= LEAST_PREFIX;
  return at >= LEAST_PREFIX && at / short.length >= SHARED_PREFIX;
};

/** "NFL" of "National Football League", "gdp" of "gross domestic product": of two to five words on end, between spaces. */
const initialsIn = (text: string): string => {
  const letters = text.match(/\p{L}[\p{L}’']*/gu)?.map((word) => ({ letter: word[0]!, small: SMALL.test(word) })) ?? [];
  const found = new Set<string>();
  for (let from = 0; from < letters.length; from++) {
    let name = '';
    for (let to = from; to < letters.length && name.length < 5; to++) {
      const { letter, small } = letters[to]!;
      if (small) continue;
      name += letter;
      if (name.length > 2 || (name.length === 2 && name === name.toUpperCase())) found.add(name.toLowerCase());
    }
  }
  return ` ${[...found].join(' ')} `;
};
export const SMALL = /^(?:of|the|and|for|to|in|a|de|og|af|den|det|i|på)$/iu;
