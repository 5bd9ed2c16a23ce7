import { unaccented } from '../gate/words.js';
import { LEGAL_FORMS } from './name-words.js';
import { regionOf } from './regions.js';

/**
 * What the forms of one name have in common: no case, accents, dots, legal form, article or genitive with an apostrophe;
 * "and" for "&" and "og"; a country by its English name. "The Danske Bank A/S" and "DANSKE BANK's" are `danske bank`.
 */
export const nameKey = (name: string): string => {
  const plain = unaccented(name.normalize('NFKC').toLowerCase())
    .replace(/['’]s?(?=\s|$)/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const region = regionOf(plain.replaceAll('.', ''));
  if (region) return region.key;
  const words = plain
    .replace(/^the /u, '')
    .replace(/ (?:&|og) /gu, ' and ')
    .split(' ')
    .map((word) => (/^(?:\p{L}\.)+\p{L}?\.?$/u.test(word) ? word.replaceAll('.', '') : word.replace(/[.,]+$/u, '')));
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1)!)) words.pop();
  return words.join(' ');
};

/** The first letters of a name's words, without the small ones: of "Statens Serum Institut" `ssi`. */
export const initialsOf = (key: string): string =>
  key
    .split(/[\s-]+/u)
    .filter((word) => !SMALL.test(word))
    .map((word) => word[0] ?? '')
    .join('');
const SMALL = /^(?:of|the|and|for|to|in|a|de|og|af|den|det|i|på|til|&)$/u;
