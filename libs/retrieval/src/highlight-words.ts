import type { Highlight } from '@postmaster/contracts';
import { holds, type WeighedWord } from './question-words.js';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** What joins the parts of one word, number or code: "1.5", "INV-2024". */
const JOINT = /^[.,:/’'_-]$/u;

/**
 * The places of a text where the question's words stand, whole words, in order and apart from each other. Offsets are
 * code points, `end` past the last one. A word matches as everywhere here: by its stem, or within a compound.
 */
export const highlightWords = (text: string, words: readonly WeighedWord[]): Highlight[] => {
  const spans: Highlight[] = [];
  const mark = (start: number, end: number): void => {
    const before = spans.at(-1);
    if (before && (start <= before.end || JOINT.test(text.slice(before.end, start))))
      before.end = Math.max(before.end, end);
    else spans.push({ start, end });
  };
  for (const { 0: word, index } of words.length === 0 ? [] : text.matchAll(WORD)) {
    const heard = word.normalize('NFC').toLowerCase();
    if (!UNSPACED.test(word)) {
      if (words.some((one) => holds(` ${heard} `, one))) mark(index, index + word.length);
    } else if (heard.length === word.length)
      for (const [from, to] of within(heard, words)) mark(index + from, index + to);
  }
  return inCodePoints(text, spans);
};

/** In scripts without spaces the words themselves are what stands in the run. */
const within = (run: string, words: readonly WeighedWord[]): [number, number][] => {
  const found: [number, number][] = [];
  for (const { stem } of words)
    for (let at = run.indexOf(stem); at >= 0; at = run.indexOf(stem, at + 1)) found.push([at, at + stem.length]);
  return found.sort(([a], [b]) => a - b);
};

const inCodePoints = (text: string, spans: readonly Highlight[]): Highlight[] => {
  let [at, points] = [0, 0];
  const pointsBefore = (offset: number): number => {
    for (; at < offset; points++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
    return points;
  };
  return spans.map(({ start, end }) => ({ start: pointsBefore(start), end: pointsBefore(end) }));
};
