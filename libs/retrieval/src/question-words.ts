import { isFunctionWord } from './function-words.js';

/** A word of a question, or of a sentence that is to be supported. */
export interface WeighedWord {
  /** What a text must hold: see `holds`. */
  stem: string;
  whole: boolean; // the stem must stand as a word of its own
  inside: boolean; // the stem may stand inside a longer word: compounds
  /** How much of what is asked it carries, 0…1.5. Function words, which carry nothing, are not among the words. */
  weight: number;
  /** A name, an acronym or a number. */
  name: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * The words of a text that carry its meaning, each once, with weights that need no collection: names and numbers 1.5,
 * others by their length. On the evaluation sets these do as well as the collection's own idf (
 * scripts/calibrate-relevance.mjs), and they do the same for a tenant of three paragraphs.
 * A first word, which has its capital anyway, is a name only where `known` says so.
 */
export const weighedWords = (text: string, known: ReadonlySet<string> = NONE): WeighedWord[] => {
  const shouting = text === text.toUpperCase();
  const words = new Map<string, WeighedWord>();
  let first = true;
  for (const [raw] of text.normalize('NFC').matchAll(WORD)) {
    const acronym = !shouting && /^\p{Lu}[\p{Lu}\p{N}]+$/u.test(raw);
    const capital = acronym || (!shouting && /^\p{Lu}/u.test(raw) && (!first || known.has(raw)));
    first = false;
    for (const word of wordsIn(raw, capital, acronym)) if (!words.has(word.stem)) words.set(word.stem, word);
  }
  return [...words.values()];
};

const wordsIn = (raw: string, capital: boolean, acronym: boolean): WeighedWord[] => {
  const word = raw.toLowerCase();
  if (UNSPACED.test(word)) return bigrams(word);
  if (isFunctionWord(word) && !acronym) return [];
  if (/\p{N}/u.test(word)) return [{ stem: word, whole: true, inside: false, weight: 1.5, name: true }];
  const stem = stemOf(word);
  const weight = capital
    ? 1.5
    : word.length <= 2
      ? 0.3
      : word.length === 3
        ? 0.6
        : Math.min(1.2, 0.5 + 0.1 * word.length);
  return [{ stem, whole: word.length < 4, inside: stem.length >= 5, weight, name: capital }];
};

/** Scripts without spaces: every two neighbouring characters. */
const bigrams = (run: string): WeighedWord[] => {
  const characters = [...run];
  const pairs = characters.length < 2 ? [run] : characters.slice(1).map((next, i) => characters[i]! + next);
  return pairs.map((stem) => ({ stem, whole: false, inside: true, weight: 0.5, name: false }));
};

/** Four to six first letters, two fewer than the word where it is short: truncation stems much like rules do, in any language. */
export const stemOf = (word: string): string =>
  word.length <= 4 ? word : word.slice(0, Math.min(6, Math.max(4, word.length - 2)));

/** A text as `holds` reads it: lower case, one space around each word. */
export const legible = (text: string): string =>
  ASCII.test(text)
    ? ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} ` // the same, several times sooner
    : ` ${text
        .normalize('NFC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')} `;
const ASCII = /^[\x00-\x7f]*$/;

export const holds = (legibleText: string, word: WeighedWord): boolean =>
  legibleText.includes(word.whole ? ` ${word.stem} ` : word.inside ? word.stem : ` ${word.stem}`);

/** The share of the words' weight that a text holds, 0…1; 0 where there are no words. */
export const shareHeld = (legibleText: string, words: readonly WeighedWord[]): number => {
  let held = 0;
  let all = 0;
  for (const word of words) {
    all += word.weight;
    if (holds(legibleText, word)) held += word.weight;
  }
  return all > 0 ? held / all : 0;
};

/** Words that stand with a capital within a sentence, as they are written there. */
export const namesIn = (text: string): string[] => text.match(/(?<=[\p{Ll}\p{N},;] )\p{Lu}[\p{L}\p{N}\p{M}]+/gu) ?? [];
