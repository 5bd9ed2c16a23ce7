/**
 * How the lexical leg cuts text: runs of Unicode letters, digits and underscores, NFKC, in lower case; no stemming and
 * no stop words, so that names and codes stay findable. Scripts written without spaces are cut into overlapping pairs.
 */
export const lexicalTerms = (text: string): string[] => {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_RUN) ?? []; // the same, several times sooner
  const whole = text.normalize('NFKC').toLowerCase();
  const runs = whole.match(RUN) ?? [];
  return UNSPACED.test(whole) ? runs.flatMap((run) => (UNSPACED.test(run) ? pairs(run) : [run])) : runs;
};

const ASCII = /^[\x00-\x7f]*$/;
const ASCII_RUN = /\w+/g;
const RUN = /[\p{L}\p{M}\p{N}_]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const pairs = (run: string): string[] => {
  const letters = [...run];
  return letters.length < 3 ? [run] : letters.slice(1).map((letter, before) => letters[before] + letter);
};

/** 32 bits of a term (FNV-1a with murmur's last mixing); of 100,000 different terms about one pair falls together. */
export const termHash = (term: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** A text as the sorted hashes of all its terms: as many as it has terms, a repeated term repeated. */
export const termList = (terms: readonly string[]): Uint32Array => Uint32Array.from(terms, termHash).sort();
