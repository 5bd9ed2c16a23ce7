const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
const LONG = 30;

/**
 * Words as people count them: runs between spaces. Scripts written without spaces count a word per two letters,
 * and a run of more than 30 letters (a hash, a URL) one per 30, so that no text is long and counts as short.
 */
export const countWords = (text: string): number => {
  let words = 0;
  const spaced = text.replace(UNSPACED, () => {
    words += 0.5;
    return ' ';
  });
  for (const run of spaced.split(/\s+/)) {
    if (run !== '') words += Math.ceil(run.length / LONG);
  }
  return Math.ceil(words);
};
