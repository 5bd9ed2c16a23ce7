import { legible } from './question-words.js';

/** What says the same: the best first, then those that repeat it. */
export type Fold<T> = [best: T, ...repeats: T[]];

/** Words that stand in a row in both texts; a shorter text is one row. */
const ROW = 3;
/** Two texts repeat each other where they share this much of all their rows (Jaccard): 1 word changed in some 27. */
export const SAME_TEXT = 0.8;

/**
 * Folds every item whose text nearly repeats that of a better one into it, until there are `most` folds or `atMost`
 * items. The order of the bests is that of the items; each item is compared with bests alone, so that no chain of small
 * changes joins what differs. A text with other numbers says something else, however alike it is.
 *
 * Time grows with the words that are read and the rows that bests share with them: no pair of texts is compared that
 * has no row in common (resemblance by shingles: Broder 1997, exact here, as there are few texts).
 */
export const foldRepeats = <T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  { most = Infinity, atMost = Infinity }: { most?: number; atMost?: number } = {},
): Fold<T>[] => {
  const folds: Fold<T>[] = [];
  const texts: Text[] = [];
  const exact = new Map<string, number>();
  const holders = new Map<string, number[]>();
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
  rows: ReadonlySet<string>;
  numbers: string;
}

const read = (heard: string): Text => {
  const words = heard.split(' ');
  const rows = new Set<string>();
  for (let at = 0; at + ROW <= words.length; at++) rows.add(`${words[at]} ${words[at + 1]} ${words[at + 2]}`);
  if (rows.size === 0) rows.add(heard);
  return { rows, numbers: words.filter((word) => /\p{N}/u.test(word)).join(' ') };
};

/** The text with the same numbers that shares the most; the first of equals. */
const nearest = (
  { rows, numbers }: Text,
  texts: readonly Text[],
  holders: ReadonlyMap<string, readonly number[]>,
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
