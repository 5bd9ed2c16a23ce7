import type { Span } from './chunker.js';
import type { CodePoints } from './code-points.js';

/** Pieces of a text that starts at `start` of the document, in UTF-16 units, as its spans: trimmed, without empty ones. */
export const spansOf = (
  pieces: readonly { start: number; end: number }[],
  text: string,
  start: number,
  points: CodePoints,
): Span[] => {
  const base = points.unitOf(start);
  return pieces.flatMap((piece) => {
    const own = text.slice(piece.start, piece.end);
    const from = piece.start + (own.length - own.trimStart().length);
    const to = piece.start + own.trimEnd().length;
    return from < to ? [{ start: points.codePointOf(base + from), end: points.codePointOf(base + to) }] : [];
  });
};

/** The page of an offset, where the document says at which offset each of its pages starts. */
export const pageAt = (offset: number, pageStarts: readonly number[] | undefined): number | undefined =>
  pageStarts && Math.max(1, pageStarts.findLastIndex((start) => start <= offset) + 1);
