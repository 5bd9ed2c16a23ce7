/**
 * The words of a text: runs of Unicode letters, digits and underscores, NFKC, in lower case. Scripts written without
 * spaces are cut into overlapping pairs.
 */
export const wordsOf = (text: string): string[] => {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_RUN) ?? []; // the same, several times sooner
  const whole = text.normalize('NFKC').toLowerCase();
  const runs = whole.match(RUN) ?? [];
  return BEYOND_SPACED.test(whole) && UNSPACED.test(whole)
    ? runs.flatMap((run) => (UNSPACED.test(run) ? pairs(run) : [run]))
    : runs;
};

/**
 * Words with a digit or an @ among them that are written as one, in lower case: `inv-2024-0031`, `3.14`, `31/12-2024`,
 * `anna@example.com`. What only ends in a full stop or a comma ends before it.
 */
export const codesOf = (text: string): string[] => {
  const whole = ASCII.test(text) ? text : text.normalize('NFKC');
  if (!CODE.test(whole)) return [];
  const likely = whole.split(/\s+/).filter(isCode); // a fraction of most texts
  return likely.flatMap((run) => run.toLowerCase().match(JOINED) ?? []).filter(isCode);
};

/** Whether a term is a code, which no word is. */
export const isCode = (term: string): boolean => MARK.test(term) && CODE.test(term);

const ASCII = /^[\x00-\x7f]*$/;
// A text may be one run of millions, at which an unbounded pattern runs out of stack: the longest word has 1,000 letters.
const ASCII_RUN = /\w{1,1000}/g;
const RUN = /[\p{L}\p{M}\p{N}_]{1,1000}/gu;
const JOINED = /[\p{L}\p{M}\p{N}_]{1,1000}(?:[-.,:/+&@][\p{L}\p{M}\p{N}_]{1,1000}){0,100}/gu;
const MARK = /[-.,:/+&@]/;
const CODE = /[\p{N}@]/u;
/** Where none of them is, sooner told than the scripts themselves. */
const BEYOND_SPACED = /[\u0e00-\u1fff\u2e80-\u{10ffff}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const pairs = (run: string): string[] => {
  const letters = [...run];
  return letters.length < 3 ? [run] : letters.slice(1).map((letter, before) => letters[before] + letter);
};
