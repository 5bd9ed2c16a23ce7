const BEFORE = String.raw`(?<![\p{L}\p{N}_])`;
const AFTER = String.raw`(?![\p{L}\p{N}_])`;

/** An alternation of the words of tables, the longest first. */
export const anyOf = (...tables: readonly string[]): string => {
  const words = [...new Set(tables.flatMap((table) => table.split(' ')))].sort((a, b) => b.length - a.length);
  return `(?:${words.map(escaped).join('|')})`;
};

/** Matches `source` as words of its own, in any case. */
export const wholeWords = (source: string, flags = ''): RegExp =>
  new RegExp(`${BEFORE}${source}${AFTER}`, `iu${flags}`);

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
