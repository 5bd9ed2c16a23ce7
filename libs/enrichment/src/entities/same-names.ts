import type { EntityType, MergeReason } from './entity.js';
import { GIVEN_NAMES } from './given-names.js';
import { initialsOf } from './name-key.js';

/** A name of a document. */
export interface DocumentName {
  key: string;
  type: EntityType;
  /** One that has it. */
  paragraph: string;
}

/** That a name is another one's, and the paragraph that has it. */
export interface SameName {
  key: string;
  into: string;
  why: MergeReason;
  paragraph: string;
}

/**
 * Which names of one document are one thing, by their forms alone. A form that could be two things is none of them:
 * - `abbreviation`: "NFL" where one name's letters are "National Football League";
 * - `initials`: "L. Vestergaard" where one person is "Lone Vestergaard";
 * - `surname`: "Vestergaard", or its genitive, where one person's name ends so.
 */
export const sameNames = (names: readonly DocumentName[]): SameName[] => {
  const one = by(names.filter(({ type }) => NAMED.has(type)));
  const letters = one(({ key }) => (key.includes(' ') ? [initialsOf(key)] : []));
  const surnames = one(({ key, type }) => (isFullName(key, type) ? [surnameOf(key)] : []));
  const initialled = one(({ key, type }) => (isFullName(key, type) ? [`${key[0]} ${surnameOf(key)}`] : []));
  return names.flatMap(({ key, type, paragraph }): SameName[] => {
    if (!NAMED.has(type)) return [];
    const same = (into: string | undefined, why: MergeReason): SameName[] =>
      into === undefined || into === key ? [] : [{ key, into, why, paragraph }];
    const words = key.split(' ');
    if (words.length === 2 && INITIAL.test(words[0]!)) return same(initialled.get(`${key[0]} ${words[1]}`), 'initials');
    if (words.length > 1) return [];
    const short = /^\p{L}{3,6}$/u.test(key) ? same(letters.get(key), 'abbreviation') : [];
    return short.length > 0 ? short : same(surnames.get(key) ?? surnames.get(genitiveOf(key) ?? ''), 'surname');
  });
};

/** Days, months and codes have one form. */
export const NAMED: ReadonlySet<EntityType> = new Set(['organisation', 'person', 'place', 'product', 'other']);
const INITIAL = /^\p{L}\.?$/u;
const SHORTEST_GENITIVE = 5;

/** What a name is the genitive of, if it is one: Danish writes no apostrophe. "Peters" may be Peter's, and a surname: none. */
export const genitiveOf = (key: string): string | undefined =>
  key.length >= SHORTEST_GENITIVE && /[^s]s$/u.test(key) && !GIVEN_NAMES.has(key.slice(0, -1))
    ? key.slice(0, -1)
    : undefined;

const isFullName = (key: string, type: EntityType): boolean =>
  type === 'person' && key.includes(' ') && !INITIAL.test(key.split(' ')[0]!);

const surnameOf = (key: string): string => key.slice(key.lastIndexOf(' ') + 1);

/** The one name that has a form; none where several have it. */
const by =
  (names: readonly DocumentName[]) =>
  (formsOf: (name: DocumentName) => readonly string[]): Map<string, string> => {
    const found = new Map<string, string | undefined>();
    for (const name of names)
      for (const form of formsOf(name))
        found.set(form, found.has(form) && found.get(form) !== name.key ? undefined : name.key);
    return new Map([...found].flatMap(([form, key]) => (key === undefined ? [] : [[form, key] as const])));
  };
