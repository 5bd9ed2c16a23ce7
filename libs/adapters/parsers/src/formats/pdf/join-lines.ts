/** Joins the lines of a paragraph; a word that was divided at a line's end becomes one again. */
export type JoinLines = (before: string, after: string) => string;

const LONGEST_WORD = 100;
const HYPHENS = '-‐–/';

/**
 * `texts` are those of the whole document. A hyphen at a line's end goes, unless the document writes the word with its
 * hyphen elsewhere and never without.
 */
export const lineJoiner = (texts: readonly string[]): JoinLines => {
  let known: ReadonlySet<string> | undefined;
  return (before, after) => {
    if (before === '') return after;
    const last = before.slice(-1); // a paragraph is looked at once a line
    if (last === '\u00ad') return before.slice(0, -1) + after;
    if (!HYPHENS.includes(last)) return `${before} ${after}`;
    const [, start] = /(\p{L}+)[-‐]$/u.exec(before.slice(-LONGEST_WORD)) ?? [];
    const [end] = /^\p{Ll}+/u.exec(after) ?? [];
    if (start === undefined || end === undefined)
      return /\S.$/.test(before.slice(-2)) ? before + after : `${before} ${after}`;
    const words = (known ??= wordsOf(texts));
    const isHyphened = words.has(`${start}-${end}`.toLowerCase()) && !words.has((start + end).toLowerCase());
    return (isHyphened ? before : before.slice(0, -1)) + after;
  };
};

const wordsOf = (texts: readonly string[]): Set<string> => {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)*/gu)) words.add(word);
  }
  return words;
};
