import { legible } from './question-words.js';

/** What says the same: the best first, then those that repeat it. */
export type Fold<T> = [best: T, ...repeats: T[]];

/** Words that stand in a row in both texts; a shorter text repeats only what equals it. */
const ROW = 3;
/** Two texts repeat each other where they share this much of all their rows (Jaccard): 1 word changed in some 27. */
export const SAME_TEXT = 0.8;

/**
 * Folds every item whose text nearly repeats that of a better one into it, until there are `most` folds or `atMost`
 * items. The order of the bests is that of the items; each item is compared with bests alone, so that no chain of small
 * changes joins what differs. A text with other numbers says something else, however alike it is.
 *
 * Time grows with the words that are read and the rows that bests share with them: no pair of texts is compared that
 * has no row in common (resemblance by shingles: Broder 1997).
 */
export const foldRepeats = <T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  { most = Infinity, atMost = Infinity }: { most?: number; atMost?: number } = {},
): Fold<T>[] => {
  const folds: Fold<T>[] = [];
  const texts: Text[] = [];
  const exact = new Map<string, number>();
  const holders = new Map<number, number[]>();
  let taken = 0;
  for (const item of items) {
    if (folds.length >= most || taken++ >= atMost) break;
    const heard = legible(textOf(item)).trim();
    const text = read(heard);
    const found = exact.get(heard) ?? nearest(text, texts, holders);
    if (found !== undefined) {
      folds[found]!.push(item);
      continue;
    }
    const place = folds.push([item]) - 1;
    texts.push(text);
    exact.set(heard, place);
    for (const row of text.rows) {
      const places = holders.get(row);
      if (places) places.push(place);
      else holders.set(row, [place]);
    }
  }
  return folds;
};

/** Every item for itself. */
export const unfolded = <T>(
  items: Iterable<T>,
  { most = Infinity, atMost = Infinity }: { most?: number; atMost?: number } = {},
): Fold<T>[] => {
  const folds: Fold<T>[] = [];
  for (const item of items) {
    if (folds.length >= Math.min(most, atMost)) break;
    folds.push([item]);
  }
  return folds;
};

interface Text {
  rows: ReadonlySet<number>;
  numbers: string;
}

/** A row is kept as 30 bits of its words' hashes: of the rows of 200 texts some pair may fall together, of two texts none. */
const read = (heard: string): Text => {
  const rows = new Set<number>();
  let numbers = '';
  let [before, last, word, from] = [0, 0, 0, 0];
  for (let at = 0, words = 0; at <= heard.length; at++) {
    if (at < heard.length && heard.charCodeAt(at) !== SPACE) {
      word = Math.imul(word ^ heard.charCodeAt(at), 0x01000193);
      continue;
    }
    if (++words >= ROW) rows.add((Math.imul(Math.imul(before, 31) ^ last, 31) ^ word) & 0x3fffffff);
    const own = heard.slice(from, at);
    if (NUMBER.test(own)) numbers += ` ${own}`;
    [before, last, word, from] = [last, word, 0, at + 1];
  }
  return { rows, numbers };
};

const SPACE = 32;
const NUMBER = /\p{N}/u;

/** The text with the same numbers that shares the most; the first of equals. */
const nearest = (
  { rows, numbers }: Text,
  texts: readonly Text[],
  holders: ReadonlyMap<number, readonly number[]>,
): number | undefined => {
  const shared = new Map<number, number>();
  for (const row of rows) for (const place of holders.get(row) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
  let best: number | undefined;
  let most = SAME_TEXT;
  for (const [place, count] of [...shared].sort(([a], [b]) => a - b)) {
    const other = texts[place]!;
    const jaccard = count / (rows.size + other.rows.size - count);
    if (jaccard < most || (jaccard === most && best !== undefined) || other.numbers !== numbers) continue;
    most = jaccard;
    best = place;
  }
  return best;
};
