import type { ChunkableDocument, Chunker, ChunkSettings } from './chunker.js';
import { codePointsOf, type CodePoints } from './code-points.js';
import { countWords } from './count-words.js';
import { divide } from './divide.js';
import { type Part, sectionsOf } from './sections.js';
import { spansOf } from './spans.js';
import { paragraphOfUnits, type Unit, unitsOf } from './units.js';

interface Token extends Unit {
  trail: string[];
  endsSentence: boolean;
}

/** A cut may come so much before its place, for the end of a sentence. */
const EARLY = 0.2;

/**
 * Runs of `words` tokens, each beginning with the last of the run before: `overlap` is their share. They go over headings
 * and pages. A token is a word as `countWords` counts it, which every encoder's own tokens only approach: 1.3 of them
 * a word in English, about 2 in Danish for an English vocabulary.
 */
export const fixedTokens =
  ({ overlap }: { overlap: number }): Chunker =>
  (document: ChunkableDocument, { words }: ChunkSettings) => {
    const points = codePointsOf(document.text);
    const stretches = tokensOf(document, points, words);
    return stretches
      .flatMap((tokens) => runsOf(tokens, words, overlap))
      .map((run, position) => ({
        ...paragraphOfUnits(run, run[0]?.trail ?? [], document, points),
        position,
      }));
  };

/** The words between asides. */
const tokensOf = (document: ChunkableDocument, points: CodePoints, words: number): Token[][] => {
  const stretches: Token[][] = [];
  for (const { parts, trail, stretch } of sectionsOf(document.blocks, points)) {
    const tokens = (stretches[stretch] ??= []);
    for (const part of parts)
      for (const token of wordsIn(part, points, words, document.language)) tokens.push({ ...token, trail });
  }
  return stretches.flatMap((tokens) => [tokens]); // without those that hold nothing
};

/** Words with their places; a run of letters that counts as several, an address or Chinese, comes in pieces. */
const wordsIn = (part: Part, points: CodePoints, words: number, language: string | null): Omit<Token, 'trail'>[] =>
  unitsOf(part, points, words, language).flatMap((unit) => {
    const pieces = [...unit.text.matchAll(/\S+/g)].flatMap(({ 0: run, index }) =>
      countWords(run) <= 1
        ? [{ start: index, end: index + run.length }]
        : divide(run, Math.max(1, words / 10), 'sentences', language).map(({ start, end }) => ({
            start: start + index,
            end: end + index,
          })),
    );
    return spansOf(pieces, unit.text, unit.start, points).map((span) => {
      const text = points.slice(span.start, span.end);
      return { ...span, text, words: countWords(text), part, endsSentence: span.end === unit.end };
    });
  });

const runsOf = (tokens: readonly Token[], words: number, overlap: number): Token[][] => {
  const runs: Token[][] = [];
  let from = 0;
  let covered = 0;
  while (covered < tokens.length) {
    let to = Math.max(reach(tokens, from, 1, words), covered + 1);
    if (to < tokens.length) {
      const least = Math.max(reach(tokens, from, 1, words * (1 - EARLY)), covered + 1);
      const sentence = tokens.slice(least - 1, to).findLastIndex(({ endsSentence }) => endsSentence);
      if (sentence >= 0) to = least + sentence;
    }
    runs.push(tokens.slice(from, to));
    covered = to;
    from = Math.max(from + 1, reach(tokens, to - 1, -1, words * overlap) + 1);
  }
  return runs;
};

/** The first token, from `at` on in a direction, that `words` words do not reach. */
const reach = (tokens: readonly Token[], at: number, step: 1 | -1, words: number): number => {
  let taken = 0;
  let next = at;
  for (let token = tokens[next]; token && (taken += token.words) <= words; token = tokens[next]) next += step;
  return next;
};
