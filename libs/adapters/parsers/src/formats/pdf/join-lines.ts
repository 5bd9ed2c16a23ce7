/** Joins the lines of a paragraph; a word that was divided at a line's end becomes one again. */
export type JoinLines = (before: string, after: string) => string;

const LONGEST_WORD = 100;

/**
 * `words` are those of the whole document. A hyphen at a line's end goes, unless the document writes the word with its
 * hyphen elsewhere and never without.
 */
export const lineJoiner =
  (words: ReadonlySet<string>): JoinLines =>
  (before, after) => {
    if (before === '') return after;
    if (before.endsWith('\u00ad')) return before.slice(0, -1) + after;
    const [, start] = /(\p{L}+)[-‐]$/u.exec(before.slice(-LONGEST_WORD)) ?? []; // a paragraph is looked at once a line
    const [end] = /^\p{Ll}+/u.exec(after) ?? [];
    if (start === undefined || end === undefined)
      return /[-‐–/]$/.test(before) && /\S[-‐–/]$/.test(before) ? before + after : `${before} ${after}`;
    const isHyphened = words.has(`${start}-${end}`.toLowerCase()) && !words.has((start + end).toLowerCase());
    return (isHyphened ? before : before.slice(0, -1)) + after;
  };

export const wordsOf = (texts: Iterable<string>): Set<string> => {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)*/gu)) words.add(word);
  }
  return words;
};
