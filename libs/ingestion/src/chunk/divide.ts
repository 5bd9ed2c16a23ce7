import { countWords } from './count-words.js';
import { gather, wordsOf } from './gather.js';
import { sentenceEnds } from './sentence-ends.js';

/** A stretch of a text: its place in UTF-16 units, and its length in words. */
export interface Stretch {
  start: number;
  end: number;
  text: string;
  words: number;
}

type Ends = (text: string, language?: string | null) => number[];

const endsAt =
  (pattern: RegExp): Ends =>
  (text) => {
    const ends = [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
    return [...ends.filter((end) => end < text.length), text.length];
  };

const clauses = endsAt(/[;:,–—)]\s+/g);
const spaces = endsAt(/\s+|[、。，]/gu);
const runs = endsAt(/[^]{24}/gu); // by code points; only a run without any space comes to this

/** From the best place to cut to the last resort. A line that is indented belongs to the one above it. */
const CUTS: Record<'sentences' | 'lines', readonly Ends[]> = {
  sentences: [sentenceEnds, clauses, spaces, runs],
  lines: [endsAt(/\n(?=\S)/g), endsAt(/\n/g), sentenceEnds, spaces, runs],
};

const stretchesOf = (text: string, ends: readonly number[]): Stretch[] =>
  ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    const own = text.slice(start, end);
    return { start, end, text: own, words: countWords(own) };
  });

/** Pieces of at most `words` words where any cut allows it, each cut at the best kind of place that does. */
const cutAtBest = (text: string, words: number, cuts: readonly Ends[], language?: string | null): Stretch[] => {
  const [cut, ...finer] = cuts;
  if (!cut) return stretchesOf(text, [text.length]);
  return stretchesOf(text, cut(text, language)).flatMap((stretch) =>
    stretch.words <= words
      ? [stretch]
      : cutAtBest(stretch.text, words, finer, language).map((atom) => ({
          ...atom,
          start: atom.start + stretch.start,
          end: atom.end + stretch.start,
        })),
  );
};

/** A text's sentences or lines; one of more than `words` words comes in pieces. Together they are the text. */
export const atomsOf = (text: string, words: number, by: 'sentences' | 'lines', language?: string | null): Stretch[] =>
  cutAtBest(text, words, CUTS[by], language);

/**
 * Divides a text into pieces of at most `words` words (1.25 × where a few would be left over at the end), cut at sentence
 * ends (or lines), else at clauses, else between words. Together the pieces are the text.
 */
export const divide = (
  text: string,
  words: number,
  by: 'sentences' | 'lines',
  language?: string | null,
): { start: number; end: number }[] => {
  const groups = gather(atomsOf(text, words, by, language), words);
  const [last, previous] = [groups.at(-1), groups.at(-2)];
  const isRest = last && previous && wordsOf(last) < words / 3 && wordsOf(previous) + wordsOf(last) <= words * 1.25;
  if (isRest) previous.push(...(groups.pop() ?? []));
  return groups.map((group) => ({ start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 }));
};

/** Whether one line alone has more than `words` words. */
export const hasLongLine = (text: string, words: number): boolean =>
  text.split('\n').some((line) => countWords(line) > words);
