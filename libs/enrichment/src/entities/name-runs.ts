import { monthOf } from '../gate/dates.js';
import { ASKS, DIRECTION, isCode, WEEKDAY } from '../gate/names.js';
import { FRAME, type Word, wordsOf } from '../gate/words.js';
import { FUNCTION_WORDS } from '../extractive/function-words.js';
import { GIVEN_NAMES } from './given-names.js';
import {
  INITIAL,
  LEGAL_FORMS,
  OPENERS,
  ORGANISATION_ENDING,
  ORGANISATION_WORDS,
  SHORT_TITLES,
  TITLES,
} from './name-words.js';
import { isPeople, regionOf } from './regions.js';

/** Words on end that name one thing, where they stand. */
export interface NameRun {
  words: readonly string[];
  start: number;
  end: number;
  /** A person's title stands before it. */
  titled: boolean;
  /** What persons do stands after it, and organisations, too. */
  acts: boolean;
  /** One word of letters and digits. */
  code: boolean;
}

const LONGEST = 6;
const CONNECTOR = /^(?:of|de|da|del|della|di|du|la|le|von|van|der|den|zu|bin|al|af|and|og|for)$/u;
const AFTER_ORGANISATION = /^(?:for|and|og|af)$/u;

/**
 * The names of a text with small letters, in its order: words with a capital on end, with what joins them. A capital that
 * begins a sentence counts where another word with one follows, or where the word stands inside a sentence with it, too.
 */
export const nameRuns = (text: string): NameRun[] => {
  if (!/\p{Ll}/u.test(text)) return [];
  const words = wordsOf(text);
  const inside = new Set(
    words.filter(({ text: word }, at) => !isFirst({ text, words }, at) && capital(word)).map(({ text: word }) => word),
  );
  const small = new Set(words.filter(({ text: word }) => !capital(word)).map(({ text: word }) => word));
  const reader = { text, words, inside, small };
  const runs: NameRun[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!begins(reader, at)) continue;
    const end = runEnd(reader, at);
    const run = runOf(reader, at, end);
    if (run) runs.push(run);
    at = end;
  }
  return runs;
};

interface Reader {
  text: string;
  words: readonly Word[];
  /** With a capital inside a sentence. */
  inside: ReadonlySet<string>;
  small: ReadonlySet<string>;
}

const capital = (word: string): boolean => /^\p{Lu}|^\p{Ll}{1,2}\p{Lu}/u.test(word);
const acronym = (word: string): boolean => /^\p{Lu}[\p{Lu}&-]+$/u.test(word);

const names = (word: Word): boolean => {
  const lower = word.text.toLowerCase();
  if (isCode(word) && /\p{Lu}/u.test(word.text)) return true;
  if (COMPOUND.test(word.text) || !capital(word.text) || (word.text.length < 2 && !INITIAL.test(word.text)))
    return false;
  if (acronym(word.text)) return word.text.length > 1 && !ROMAN.test(word.text);
  return !FRAME.has(lower) && !FUNCTION_WORDS.has(lower) && monthOf(lower) === undefined && !WEEKDAY.test(lower);
};
const ROMAN = /^[IVX]+$/u;
const COMPOUND = /[-–]\p{Ll}/u; // "Apollo-rumdragt" is a thing of that name

const begins = (reader: Reader, at: number): boolean => {
  const word = reader.words[at]!;
  if (!names(word) || word.text === 'I' || (INITIAL.test(word.text) && !joined(reader, at))) return false;
  const lower = word.text.toLowerCase();
  if (!isFirst(reader, at) || acronym(word.text) || isCode(word) || isTitle(word.text)) return true;
  if (OPENERS.has(lower) || ASKS.test(lower)) return false;
  if (reader.inside.has(word.text)) return true;
  if (reader.small.has(lower)) return false;
  return (
    joined(reader, at) ||
    GIVEN_NAMES.has(lower) ||
    regionOf(lower) !== undefined ||
    /^\p{L}*\p{Ll}\p{Lu}/u.test(word.text)
  );
};

/** After "Dr." and "J." no sentence begins, and "SKAT (" is told in full. */
const isFirst = ({ text, words }: Pick<Reader, 'text' | 'words'>, at: number): boolean => {
  const [before, word] = [words[at - 1], words[at]!];
  if (!word.first || !before) return word.first;
  const gap = text.slice(before.start + before.text.length, word.start);
  if (gap === ' (' && acronym(before.text)) return false;
  return !(gap === '. ' && (SHORT_TITLES.has(before.text.toLowerCase()) || INITIAL.test(before.text)));
};

/** Whether the next word goes on with the name that this one is in. */
const joined = (reader: Reader, at: number): boolean => {
  const { text, words } = reader;
  const [word, next] = [words[at]!, words[at + 1]];
  if (!next || /['’]s$/u.test(word.text)) return false;
  const gap = text.slice(word.start + word.text.length, next.start);
  if (gap === ', ' && LEGAL_FORMS.has(next.text.toLowerCase()) && capital(next.text)) return true; // Acme, Inc.
  const dotted = gap === '. ' && (INITIAL.test(word.text) || SHORT_TITLES.has(word.text.toLowerCase()));
  if (gap !== ' ' && gap !== ' & ' && !dotted) return false;
  if (isCode(next)) return false;
  return (
    names(next) ||
    ROMAN.test(next.text) ||
    (LEGAL_FORMS.has(next.text.toLowerCase()) && /\/|^\p{Lu}/u.test(next.text)) ||
    isModel(reader, at)
  );
};

/** The number of a name that is written as no other word is: "iPhone 15". */
const isModel = ({ words }: Reader, at: number): boolean =>
  /^\d{1,3}$/u.test(words[at + 1]?.text ?? '') && /^\p{L}*\p{Ll}\p{Lu}/u.test(words[at]!.text);

const runEnd = (reader: Reader, from: number): number => {
  const { words, text } = reader;
  let at = from;
  while (at - from < LONGEST - 1) {
    const next = words[at + 1];
    if (joined(reader, at)) at++;
    else if (next && words[at + 2] && CONNECTOR.test(next.text) && connects(reader, from, at)) at += 2;
    else break;
  }
  return at;

  function connects({ words: all }: Reader, first: number, last: number): boolean {
    const [here, link, then] = [all[last]!, all[last + 1]!, all[last + 2]!];
    const apart = [
      text.slice(here.start + here.text.length, link.start),
      text.slice(link.start + link.text.length, then.start),
    ];
    if (apart.some((gap) => gap !== ' ') || !names(then) || /['’]s$/u.test(here.text)) return false;
    if (link.text === 'of') return !isTitle(here.text) && !GIVEN_NAMES.has(all[first]!.text.toLowerCase());
    if (!AFTER_ORGANISATION.test(link.text)) return !isTitle(here.text);
    const isOrganisation = all.slice(first, last + 1).some(({ text: word }) => isOrganisationWord(word));
    return isOrganisation && !(link.text === 'and' || link.text === 'og');
  }
};

const isOrganisationWord = (word: string): boolean =>
  ORGANISATION_WORDS.has(word.toLowerCase()) || ORGANISATION_ENDING.test(word.toLowerCase());
const isTitle = (word: string): boolean => TITLES.has(word.toLowerCase().replace(/\.$/u, ''));

const ACTS =
  /^(?:said|says|wrote|writes|argued|explained|married|died|scored|resigned|sagde|siger|skrev|skriver|fortæller|fortalte|mener|mente|døde|udtaler|forklarer)$/u;

/** Without titles and genitives; undefined for what is left of a title, a people or a language alone. */
const runOf = ({ text, words }: Reader, from: number, to: number): NameRun | undefined => {
  let first = from;
  while (first < to && isTitle(words[first]!.text)) first++;
  const titled = first > from || isTitle(words[from - 1]?.text ?? '');
  const kept = words.slice(first, to + 1);
  const [one, last] = [kept[0], kept.at(-1)];
  if (!one || !last) return undefined;
  const ending = /['’]s?$/u.exec(last.text)?.[0].length ?? 0;
  const end = last.start + last.text.length - ending;
  const acts = kept.length > 1 && kept.length < 4 && ACTS.test(words[to + 1]?.text ?? '');
  const run = { words: text.slice(one.start, end).split(/\s+/u), start: one.start, end, titled, acts };
  if (kept.length > 1) return { ...run, code: false };
  if (isTitle(one.text) || INITIAL.test(one.text)) return undefined;
  if (DIRECTION.test(one.text)) return undefined;
  if (isPeople(one.text) && !GIVEN_NAMES.has(one.text.toLowerCase())) return undefined;
  return { ...run, code: isCode(one) };
};
