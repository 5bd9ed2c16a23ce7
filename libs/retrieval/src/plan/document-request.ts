import {
  ABOUT_LEADS,
  ADDED_WORDS,
  AFTER_HEAD,
  COLLECTION_WORDS,
  DETERMINERS,
  DOCUMENT_KINDS,
  LANGUAGE_WORDS,
  OF_LEADS,
  OPENINGS,
  SENDER_LEADS,
  TITLE_WORDS,
} from './document-words.js';
import type { FoundDate } from './find-dates.js';
import { holdsVerb, isQuestion } from './question-kind.js';
import { type Word, wordSet, wordsOf } from './words-of.js';

export interface Span {
  start: number;
  end: number;
}

/** What a request says of the document that it wants; whether it can become a condition is seen by what there is. */
export type Wish = Span &
  (
    | { is: 'kind'; kind: string; word: string }
    | { is: 'created' | 'added'; date: FoundDate }
    | { is: 'language'; code: string }
    | { is: 'collection'; names: readonly (Span & { name: string })[] }
    | { is: 'title'; words: readonly string[] }
    | { is: 'sender'; name: string }
    | { is: 'metadata'; key: string; value: string }
  );

export interface DocumentRequest {
  wishes: Wish[];
  /** "find me the": says that something is looked for, and nothing of it. */
  opening: Span;
}

const DETERMINER = wordSet(DETERMINERS);
const ENDS_HEAD = wordSet(AFTER_HEAD, ADDED_WORDS);
const ABOUT = wordSet(ABOUT_LEADS);
const OF = wordSet(OF_LEADS);
const SENDER = wordSet(SENDER_LEADS);
const ADDED = wordSet(ADDED_WORDS);
const COLLECTION = wordSet(COLLECTION_WORDS);
const TITLE = wordSet(TITLE_WORDS);
const LANGUAGES = new Map(
  Object.entries(LANGUAGE_WORDS).flatMap(([code, words]) => words.split(' ').map((word) => [word, code] as const)),
);
const KINDS = Object.entries(DOCUMENT_KINDS).map(([kind, { words, ...facts }]) => ({
  kind,
  words: wordSet(words),
  ...facts,
}));
const PAIR = /(?<![\p{L}\p{N}])(?<key>\p{L}[\p{L}\p{N}_-]*)[:=](?:"(?<quoted>[^"]+)"|(?<value>[^\s"/][^\s"]*))/gu;

/**
 * What a text says of a document that it asks for; undefined where it asks for none. It does where, after an opening
 * such as "find" or with none, its noun phrase ends in a kind of document. A question or a sentence never does otherwise,
 * whatever years and senders it names.
 */
export const documentRequest = (text: string, dates: readonly FoundDate[]): DocumentRequest | undefined => {
  const opening = openingOf(text);
  const pairs = pairsIn(text);
  if (opening === 0 && (isQuestion(text) || holdsVerb(text))) return undefined;
  const words = wordsOf(text).filter(({ start }) => start >= opening && !pairs.some((pair) => within(start, pair)));
  const head = headOf(text, words, dates);
  if (head.length === 0 || !kindOf(head.at(-1)!.lower))
    return pairs.length > 0 && opening === 0 ? { wishes: pairs, opening: { start: 0, end: 0 } } : undefined;
  const kinds = head.flatMap((word, at): Wish[] => {
    const found = kindOf(word.lower);
    if (!found || (at < head.length - 1 && !found.attribute)) return [];
    return [{ is: 'kind', kind: found.kind, word: word.text, start: word.start, end: word.end }];
  });
  const ofEvent = kindOf(head.at(-1)!.lower)?.ofEvent ?? false;
  const tail = words.filter(({ start }) => start > head.at(-1)!.start);
  const about = tail.find(
    (word) =>
      (ABOUT.has(word.lower) || (OF.has(word.lower) && !ofEvent)) && !dates.some((date) => within(word.start, date)),
  );
  const rest = readTail(text, tail, dates, ofEvent, about?.start ?? Infinity);
  const created = dates
    .filter(({ start, lead }) => lead !== 'about' && (lead === 'of' || start < (about?.start ?? Infinity)))
    .filter((date) => !rest.some((wish) => wish.is !== 'sender' && within(date.start, wish)))
    .map((date) => dateWish(words, date));
  return { wishes: [...pairs, ...kinds, ...rest, ...created], opening: { start: 0, end: opening } };
};

const within = (at: number, { start, end }: Span): boolean => at >= start && at < end;

const openingOf = (text: string): number => {
  const lower = text.toLowerCase().replaceAll('’', "'");
  const found = OPENINGS.filter((opening) => lower.startsWith(`${opening} `)).map(({ length }) => length + 1);
  return Math.max(0, ...found);
};

/** The words up to the one that says what is asked for: "the email receipt" of "the email receipt from the pharmacy". */
const headOf = (text: string, words: readonly Word[], dates: readonly FoundDate[]): Word[] => {
  const head: Word[] = [];
  for (const word of words) {
    const dated = dates.some((date) => within(word.start, date));
    if (head.length === 0 && (dated || DETERMINER.has(word.lower))) continue;
    const between = head.length > 0 ? text.slice(head.at(-1)!.end, word.start) : '';
    if (dated || ENDS_HEAD.has(word.lower) || /[,;:"“(]/.test(between)) break;
    head.push(word);
  }
  return head;
};

const kindOf = (word: string) =>
  KINDS.find(({ words }) => words.has(word)) ??
  KINDS.find(({ words, compounds }) => compounds && [...words].some((end) => isCompound(word, end)));

/** "lejekontrakten" ends in "kontrakten"; "forbrev" is too short to tell. */
const isCompound = (word: string, end: string): boolean =>
  word.length >= end.length + 3 && end.length >= 4 && word.endsWith(end);

const pairsIn = (text: string): Wish[] =>
  [...text.matchAll(PAIR)].map(({ index, 0: whole, groups }) => ({
    is: 'metadata',
    key: groups!.key!,
    value: groups!.quoted ?? groups!.value!,
    start: index,
    end: index + whole.length,
  }));

const readTail = (
  text: string,
  tail: readonly Word[],
  dates: readonly FoundDate[],
  ofEvent: boolean,
  about: number,
): Wish[] =>
  tail.flatMap((word, at): Wish[] => {
    const before = tail[at - 1];
    if (dates.some((date) => within(word.start, date))) return [];
    const code = LANGUAGES.get(word.lower);
    if (code && before && /^(in|på)$/.test(before.lower))
      return [{ is: 'language', code, start: before.start, end: word.end }];
    if (COLLECTION.has(word.lower)) return collectionWish(tail, at);
    if (TITLE.has(word.lower)) return titleWish(text, tail, at);
    if (!SENDER.has(word.lower) || ofEvent || word.start > about) return [];
    const name = headOf(text, tail.slice(at + 1), dates);
    return name.length === 0
      ? []
      : [{ is: 'sender', name: text.slice(name[0]!.start, name.at(-1)!.end), ...spanOf(name) }];
  });

const spanOf = (words: readonly Word[]): Span => ({ start: words[0]!.start, end: words.at(-1)!.end });

/** "in the collection contracts", "i mappen Hus og have", "in the contracts folder": the longest name first. */
const collectionWish = (words: readonly Word[], at: number): Wish[] => {
  const after = words.slice(at + 1, at + 5);
  const before = words.slice(Math.max(0, at - 4), at).filter(({ lower }) => !DETERMINER.has(lower));
  const lead = before.findLastIndex(({ lower }) => lower === 'in' || lower === 'i');
  const start = before[lead]?.start ?? words[at]!.start;
  const named = (some: readonly Word[], end: number) =>
    some.length === 0 ? [] : [{ name: some.map(({ text }) => text).join(' '), start, end }];
  const names = [
    ...after.flatMap((word, i) => named(after.slice(0, i + 1), word.end)).reverse(),
    ...(lead < 0 ? [] : named(before.slice(lead + 1), words[at]!.end)),
  ];
  return [{ is: 'collection', names, start, end: words[at]!.end }];
};

const titleWish = (text: string, words: readonly Word[], at: number): Wish[] => {
  const rest = text.slice(words[at]!.end);
  const quoted = /^\s*["“”«](?<title>[^"“”»]+)["“”»]/u.exec(rest);
  const title = quoted ? wordsOf(quoted.groups!.title!) : headOf(text, words.slice(at + 1), []);
  if (title.length === 0) return [];
  const end = quoted ? words[at]!.end + quoted[0].length : title.at(-1)!.end;
  const with_ = words[at - 1];
  const start = with_ && /^(with|med)$/.test(with_.lower) ? with_.start : words[at]!.start;
  return [{ is: 'title', words: title.map(({ lower }) => lower), start, end }];
};

const dateWish = (words: readonly Word[], date: FoundDate): Wish => {
  const before = words.findLast(({ end }) => end <= date.start);
  const added = before !== undefined && ADDED.has(before.lower);
  return { is: added ? 'added' : 'created', date, start: added ? before.start : date.start, end: date.end };
};
