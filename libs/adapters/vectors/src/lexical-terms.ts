import { codesOf, isCode, wordsOf } from './text-words.js';

/** Kept with what is stored, because another version has other terms for the same text. 1 had words alone. */
export const TERMS_VERSION = 2;

/** What a question asks for, and what it counts: a word or a code 1, and the pieces of a word what makes a unit vector of them. */
export interface QuestionTerm {
  term: string;
  weight: number;
}

/**
 * A text's terms, repeated as they stand in it, the same in every language (docs/decisions/0011-lexical-terms.md): its
 * words as they are written; its codes whole; and each word's pieces, which other forms of the word and compounds with
 * it have as well.
 */
export const lexicalTerms = (text: string): string[] => {
  const words = wordsOf(text);
  const terms = [...words, ...codesOf(text)];
  for (const word of words) for (const piece of knownWord(word).pieces) terms.push(piece);
  return terms;
};

/** The sorted hashes of a text's terms: as many as it has terms, a repeated term repeated. */
export const lexicalHashes = (text: string): Uint32Array => {
  const hashes = codesOf(text).map(termHash);
  for (const word of wordsOf(text)) for (const hash of knownWord(word).hashes) hashes.push(hash);
  return Uint32Array.from(hashes).sort();
};
/**
 * The written terms of a text in the order of the alphabet, each once with how often it stands there where that is more:
 * "harbour*2 the*3 wrote". Its terms can be made of it again, the text can't.
 */
export const bagOf = (text: string): string => {
  const times = new Map<string, number>();
  for (const term of writtenTerms(text)) times.set(term, (times.get(term) ?? 0) + 1);
  return Array.from(times, ([term, n]) => (n > 1 ? `${term}*${n}` : term))
    .sort()
    .join(' ');
};

/** The terms of a bag; of the text it was made of they are the same, in another order. */
export const termsOfBag = (bag: string): string[] =>
  bag.split(' ').flatMap((entry) => {
    const [term = '', n = '1'] = entry.split('*');
    const terms = isCode(term) ? [term] : [term, ...knownWord(term).pieces];
    return Array.from({ length: Number(n) }, () => terms).flat();
  });

const writtenTerms = (text: string): string[] => [...wordsOf(text), ...codesOf(text)];

/** The distinct terms of a question; without pieces where those of the texts are of version 1. */
export const questionTerms = (text: string, version = TERMS_VERSION): QuestionTerm[] => {
  const words = wordsOf(text);
  const weights = new Map([...words, ...codesOf(text)].map((term) => [term, 1]));
  if (version < 2) return Array.from(weights, ([term, weight]) => ({ term, weight }));
  for (const word of new Set(words)) {
    const pieces = new Set(knownWord(word).pieces);
    const weight = 1 / Math.sqrt(pieces.size);
    for (const piece of pieces) weights.set(piece, Math.max(weight, weights.get(piece) ?? 0));
  }
  return Array.from(weights, ([term, weight]) => ({ term, weight }));
};

const LETTERS = 5;
const MOST_LETTERS = 64; // more are no word
/** What Danish and English add to words, -erne, -ens, -ets, -ing, -ed and the like, after three letters or more. */
const ENDING = /(?<=\p{L}{3})(?:e?r?nes?|e[nrt]s?|ing|e[ds]?|s)$/u;

const MOST_KNOWN = 20_000;

interface KnownWord {
  pieces: readonly string[];
  /** Its own, and those of its pieces. */
  hashes: readonly number[];
}

const known = new Map<string, KnownWord>();

/** Cutting and hashing a text's words anew each time would take most of the time that its terms take. */
const knownWord = (word: string): KnownWord => {
  const before = known.get(word);
  if (before) return before;
  const pieces = word.length > MOST_LETTERS ? [] : cut(word);
  const one = { pieces, hashes: [word, ...pieces].map(termHash) };
  if (word.length > MOST_LETTERS) return one;
  if (known.size === MOST_KNOWN) known.clear();
  known.set(word, one);
  return one;
};

/**
 * Every five neighbouring letters of a word without its ending; all of it where it has no more, or a digit. With a mark
 * before them that no word has.
 */
const cut = (word: string): string[] => {
  if (/\p{N}/u.test(word)) return [`~${word}`];
  const stem = word.replace(ENDING, '');
  if (stem.length <= LETTERS) return [`~${stem}`];
  return Array.from({ length: stem.length - LETTERS + 1 }, (_, at) => `~${stem.slice(at, at + LETTERS)}`);
};

/** 32 bits of a term (FNV-1a with murmur's last mixing); of 100,000 different terms about one pair falls together. */
export const termHash = (term: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
