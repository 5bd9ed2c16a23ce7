import { ENTITY_TYPES, type EntityType, type FoundEntities, type Mention, type ToldSame } from './entity.js';
import { readDates, readMonths } from '../metadata/read-dates.js';
import { initialsOf, nameKey } from './name-key.js';
import { type NameRun, nameRuns } from './name-runs.js';
import { nameType } from './name-type.js';

/** A change of what is found makes a new version: paragraphs are read anew when they come again. */
export const ENTITY_RULES = 'entities-1';

/** Of one paragraph. */
export const MOST_MENTIONS = 40;
export const LONGEST_NAME = 120;
/** Of longer paragraphs, which are tables and listings, the beginning is read. */
const MOST_READ = 20_000;
const ADDRESS = /(?:https?:\/\/|www\.)\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu;

/**
 * What a paragraph names, by rules for Danish and English without a model: persons, organisations, places, products and
 * codes as words with capitals tell them, and dates by their day or month. Each is a quote of the text. Where every noun
 * has a capital (German), names can't be told so: there it is codes and dates alone.
 */
export const findMentions = (text: string, language: string | null): FoundEntities => {
  const read = text.slice(0, MOST_READ).replace(ADDRESS, (address) => ' '.repeat(address.length));
  const found = new Map<string, Mention>();
  const add = (key: string, name: string, type: EntityType): void => {
    if (key === '' || name.length > LONGEST_NAME) return;
    const known = found.get(key);
    if (known) found.set(key, { ...known, count: known.count + 1, type: surer(known.type, type) });
    else if (found.size < MOST_MENTIONS) found.set(key, { key, name: name.replace(/\s+/gu, ' '), type, count: 1 });
  };
  let rest = read;
  for (const { key, start, end } of datesOf(read)) {
    add(key, read.slice(start, end), 'date');
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  const runs = nameRuns(rest).filter(({ code }) => code || language !== 'de');
  for (const run of runs) {
    const name = rest.slice(run.start, run.end);
    add(run.code ? name.toLowerCase() : nameKey(name), name, run.code ? 'code' : nameType(run));
  }
  return { mentions: [...found.values()], told: toldSame(rest, runs, found) };
};

/** What was found as both counts as the surer one. */
const surer = (a: EntityType, b: EntityType): EntityType =>
  ENTITY_TYPES.indexOf(a) <= ENTITY_TYPES.indexOf(b) ? a : b;

/** Days and months, by their keys. */
export const datesOf = (text: string): { key: string; start: number; end: number }[] => {
  const days = readDates(text, false).map(({ day, start, end }) => ({ key: day, start, end }));
  const months = readMonths(text)
    .map(({ from, start, end }) => ({ key: from.slice(0, 7), start, end }))
    .filter(({ start, end }) => !days.some((day) => start < day.end && day.start < end));
  return [...days, ...months];
};

/** "Danske Bank (DB)" and "DB (Danske Bank)": the short name's letters stand in the long one in their order. */
const toldSame = (text: string, runs: readonly NameRun[], found: ReadonlyMap<string, Mention>): ToldSame[] =>
  runs.flatMap((run, at) => {
    const next = runs[at + 1];
    if (!next || !/^\s?\($/u.test(text.slice(run.end, next.start)) || !/^\s?[),;]/u.test(text.slice(next.end)))
      return [];
    const pair = [run, next].map(({ start, end }) => text.slice(start, end));
    const short = pair.find((name) => SHORT.test(name));
    const long = pair.find((name) => name !== short);
    if (short === undefined || long === undefined || !abbreviates(short, long)) return [];
    const told = { key: nameKey(short), into: nameKey(long) };
    return told.key !== told.into && found.has(told.key) && found.has(told.into) ? [told] : [];
  });

const SHORT = /^\p{Lu}[\p{Lu}\d&-]{1,7}$/u;

const abbreviates = (short: string, long: string): boolean => {
  const [letters, name] = [short.toLowerCase().replace(/[^\p{L}]/gu, ''), nameKey(long)];
  if (initialsOf(name).startsWith(letters)) return true;
  if (letters[0] !== name[0] || name.length < 2 * letters.length) return false;
  let at = 0;
  for (const letter of name) if (letter === letters[at]) at++;
  return at === letters.length; // "SKAT (Skatteforvaltningen)"
};
