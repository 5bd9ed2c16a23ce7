import type { Borders } from './text-units.js';

/**
 * Where BERT's tokenizer parts a text: at space (control characters, \v and \f among them, it drops instead), around
 * each Chinese character and each punctuation mark. It reads a run of over 100 other characters as one unknown token.
 */
export const BERT_BORDERS: Borders = {
  word: /[^\t\n\r\p{Zs}\u2028\u2029]+/gu,
  part: /[\p{Script=Han}\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]|[^\p{Script=Han}\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]{1,100}/gu,
};
