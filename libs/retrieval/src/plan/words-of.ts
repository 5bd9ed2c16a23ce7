/** A word of a request, where it stands (UTF-16). */
export interface Word {
  text: string;
  lower: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’._@/&-]*[\p{L}\p{N}])?/gu;

export const wordsOf = (text: string): Word[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word,
    lower: word.toLowerCase().replaceAll('’', "'"),
    start: index,
    end: index + word.length,
  }));

/** A lookup of the words of tables. */
export const wordSet = (...tables: readonly string[]): ReadonlySet<string> =>
  new Set(tables.flatMap((table) => table.split(/\s+/)));
