const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const MARK = /^\p{M}+$/u;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const widthOfLetter = (letter: string): number => (WIDE.test(letter) ? 2 : MARK.test(letter) ? 0 : 1);

/** Columns that a text without control characters takes in a terminal. */
export const widthOf = (text: string): number => {
  let width = 0;
  for (const { segment } of letters.segment(text)) width += widthOfLetter(segment);
  return width;
};

/** Cut to so many columns, with an ellipsis where something is lost. */
export const fit = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  let fitting = '';
  let width = 0;
  for (const { segment } of letters.segment(text)) {
    width += widthOfLetter(segment);
    if (width > columns - 1) break;
    fitting += segment;
  }
  return columns < 1 ? '' : `${fitting.trimEnd()}…`;
};
