import type { ChunkableDocument, Chunker, ChunkSettings } from './chunker.js';
import { codePointsOf } from './code-points.js';
import { sectionsOf } from './sections.js';
import { paragraphOfUnits, type Unit, unitsOf } from './units.js';

/**
 * Windows of so many sentences (fewer where they have more than `words` words), each beginning `stride` sentences after
 * the one before. A window stays under its heading and on the page that its sentences begin on.
 */
export const sentenceWindows =
  ({ sentences, stride }: { sentences: number; stride: number }): Chunker =>
  (document: ChunkableDocument, { words }: ChunkSettings) => {
    const points = codePointsOf(document.text);
    return sectionsOf(document.blocks, points)
      .flatMap(({ parts, trail }) => {
        const units = parts.flatMap((part) => unitsOf(part, points, words, document.language));
        return windowsOf(units, sentences, stride, words).map((window) =>
          paragraphOfUnits(window, trail, document, points),
        );
      })
      .map((paragraph, position) => ({ ...paragraph, position }));
  };

const windowsOf = (units: readonly Unit[], sentences: number, stride: number, words: number): Unit[][] => {
  const windows: Unit[][] = [];
  let covered = 0;
  for (let from = 0; covered < units.length; from = Math.min(from + stride, covered)) {
    const to = endOf(units, from, Math.min(from + sentences, units.length), words);
    if (to > covered) windows.push(units.slice(from, (covered = to))); // else it lies within the one before
  }
  return windows;
};

/** How far units of at most `words` words reach; one at least. */
const endOf = (units: readonly Unit[], from: number, most: number, words: number): number => {
  let to = from;
  let taken = 0;
  while (to < most && (to === from || taken + (units[to]?.words ?? 0) <= words)) taken += units[to++]?.words ?? 0;
  return to;
};
