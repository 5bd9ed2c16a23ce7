import { FUNCTION_WORDS } from './function-words.js';
import { sentences } from './sentences.js';

const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’./&][\p{L}\p{M}\p{N}]+|(?<=\p{N}),(?=\p{N})\p{N}+)*/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LONGEST_PHRASE = 4;
const words = new Intl.Segmenter('und', { granularity: 'word' });

interface Word {
  text: string;
  /** Characters other than spaces stand between it and the word before, or nothing does. */
  apart: boolean;
  first: boolean;
}

/**
 * The noun-like phrases that carry most of a text, in the order of the text, at most `limit`. No dictionary of the
 * language is needed: names are capitalised inside a sentence, other terms are long words next to each other (after
 * RAKE: Rose et al., "Automatic Keyword Extraction from Individual Documents", 2010, with length in place of its
 * stop list); a phrase counts by its words' weight and how often they come.
 */
export const keyPhrases = (text: string, limit: number): string[] => {
  const lines = sentences(text).map(wordsOf);
  const seen = tally(lines);
  const found = new Map<string, { phrase: string; score: number; order: number }>();
  for (const line of lines)
    for (const run of runs(line, seen)) {
      const phrase = run.join(' ');
      const key = phrase.toLowerCase();
      const score = run.reduce((sum, word) => sum + weight(word, seen), 0) / Math.sqrt(run.length);
      const known = found.get(key);
      if (known) known.score += score / 2;
      else found.set(key, { phrase, score, order: found.size });
    }
  const all = ` ${[...found.keys()].join(' | ')} `;
  const inAnother = (key: string) => all.indexOf(` ${key} `) !== all.lastIndexOf(` ${key} `);
  return [...found.values()]
    .filter(({ phrase }) => !inAnother(phrase.toLowerCase()))
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, limit)
    .sort((a, b) => a.order - b.order)
    .map(({ phrase }) => phrase);
};

interface Tally {
  counts: ReadonlyMap<string, number>;
  /** Lower-cased words that stand somewhere with a small first letter. */
  small: ReadonlySet<string>;
  /** Lower-cased words that stand somewhere inside a sentence with a capital. */
  named: ReadonlySet<string>;
}

const tally = (lines: readonly (readonly Word[])[]): Tally => {
  const counts = new Map<string, number>();
  const small = new Set<string>();
  const named = new Set<string>();
  for (const { text, first } of lines.flat()) {
    const key = text.toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (!capital(text)) small.add(key);
    else if (!first) named.add(key);
  }
  return { counts, small, named };
};

/** Neighbouring words that carry meaning, cut where a name begins or ends. */
const runs = (line: readonly Word[], seen: Tally): string[][] => {
  const found: string[][] = [];
  let run: string[] = [];
  let named = false;
  const close = () => {
    while (run.length > 0 && isNumber(run.at(-1) ?? '') && !named) run.pop();
    if (run.length > 1 ? run.some((word) => !isNumber(word)) : run.some((word) => standsAlone(word, seen)))
      found.push(run);
    run = [];
  };
  for (const word of line) {
    const name = isName(word, line, seen);
    if (word.apart || name !== named || run.length === LONGEST_PHRASE) close();
    named = name;
    if (name || isTerm(word, seen)) run.push(word.text);
    else close();
  }
  close();
  return found;
};

const isName = ({ text, first }: Word, line: readonly Word[], { small, named }: Tally): boolean => {
  const key = text.toLowerCase();
  if (!capital(text) || FUNCTION_WORDS.has(key)) return false;
  if (!first) return true;
  const next = line[1];
  return (
    named.has(key) || (!small.has(key) && text.length > 3 && next !== undefined && !next.apart && capital(next.text))
  );
};

const isTerm = ({ text, first }: Word, { small }: Tally): boolean => {
  const key = text.toLowerCase();
  if (/\p{N}/u.test(text)) return true;
  if (FUNCTION_WORDS.has(key) || (first && capital(text) && !small.has(key))) return false;
  if (UNSPACED.test(text)) return [...text].length >= 2 && !/^\p{Script=Hiragana}+$/u.test(text);
  return [...text].length >= (cased(text) ? 5 : 4);
};

/** A single word says something alone if it is a name, a code, long, or comes again. */
const standsAlone = (word: string, { counts }: Tally): boolean =>
  !isNumber(word) &&
  (capital(word) ||
    !cased(word) ||
    /\p{N}/u.test(word) ||
    word.length > 6 ||
    (counts.get(word.toLowerCase()) ?? 0) > 1);

const weight = (word: string, { counts }: Tally): number => {
  const often = 1 + Math.log(counts.get(word.toLowerCase()) ?? 1);
  if (isNumber(word)) return 0.3 * often;
  return (capital(word) || /\p{N}/u.test(word) ? 1.5 : Math.min([...word].length, 12) / 8) * often;
};

const wordsOf = (sentence: string): Word[] => {
  const found: Word[] = [];
  let end = 0;
  for (const match of sentence.matchAll(WORD)) {
    const gap = sentence.slice(end, match.index);
    const last = found.at(-1);
    const initial = gap === '. ' && last !== undefined && isInitial(last.text);
    if (initial) last.text += '.';
    const apart = last !== undefined && gap !== ' ' && !initial;
    const parts = UNSPACED.test(match[0]) ? unspacedWords(match[0]) : [match[0]];
    for (const [at, text] of parts.entries()) found.push({ text, apart: apart || at > 0, first: found.length === 0 });
    end = match.index + match[0].length;
  }
  return found;
};

const unspacedWords = (text: string): string[] =>
  [...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

const capital = (word: string): boolean => /^\p{Lu}/u.test(word);
const isInitial = (word: string): boolean => /^\p{Lu}$/u.test(word);
const cased = (word: string): boolean => word.toLowerCase() !== word.toUpperCase();
const isNumber = (word: string): boolean => /^[\p{N}.,/-]+$/u.test(word);
