import type { ChunkableDocument, Chunker, ChunkSettings } from './chunker.js';
import { codePointsOf } from './code-points.js';
import { wordsOf } from './gather.js';
import { sectionsOf } from './sections.js';
import { paragraphOfUnits, type Unit, unitsOf } from './units.js';

/** A sentence with how alike it is to the one before it (cosine; 1 for the first). */
interface Link {
  unit: Unit;
  likeness: number;
}

/** What is left on either side of a break has so much of `words` at least, where any break allows it. */
const LEAST = 1 / 3;

/**
 * Breaks where adjacent sentences part (after Hearst, TextTiling, 1997, and Kamradt, 2023): a section is divided at its
 * least alike neighbours while it has more than `words` words, and also where they are less alike than the document's
 * mean less one standard deviation. Every sentence is encoded once.
 */
export const bySemantics: Chunker = async (document: ChunkableDocument, { words }: ChunkSettings, encode) => {
  const points = codePointsOf(document.text);
  const sections = sectionsOf(document.blocks, points).map(({ parts, trail }) => ({
    trail,
    units: parts.flatMap((part) => unitsOf(part, points, words, document.language)),
  }));
  const vectors = (await encode(sections.flatMap(({ units }) => units.map(({ text }) => text)))).values();
  const linked = sections.map(({ trail, units }) => {
    let before: Float32Array | undefined;
    const links = units.map((unit): Link => {
      const vector = vectors.next().value;
      if (!vector) throw new Error('The encoder gave fewer vectors than texts.');
      const likeness = before ? dot(before, vector) : 1;
      before = vector;
      return { unit, likeness };
    });
    return { trail, links };
  });
  const parting = partingOf(linked.flatMap(({ links }) => links.slice(1).map(({ likeness }) => likeness)));
  return linked
    .flatMap(({ trail, links }) =>
      divided(links, words, parting).map((own) =>
        paragraphOfUnits(
          own.map(({ unit }) => unit),
          trail,
          document,
          points,
        ),
      ),
    )
    .map((paragraph, position) => ({ ...paragraph, position }));
};

const divided = (links: readonly Link[], words: number, parting: number): Link[][] => {
  const pieces: Link[][] = [];
  const waiting = [[...links]];
  for (let piece = waiting.pop(); piece; piece = waiting.pop()) {
    const at = breakOf(piece, words, parting);
    if (at === undefined) pieces.push(piece);
    else waiting.push(piece.slice(at), piece.slice(0, at)); // the left one is next
  }
  return pieces.filter((piece) => piece.length > 0);
};

/** Where a piece breaks, if it does: before this link. */
const breakOf = (piece: readonly Link[], words: number, parting: number): number | undefined => {
  const total = wordsOf(piece.map(({ unit }) => unit));
  let left = 0;
  let least: number | undefined;
  let leastBalanced: number | undefined;
  const likeness = (at: number | undefined): number => (at === undefined ? Infinity : (piece[at]?.likeness ?? 1));
  piece.forEach(({ unit }, at) => {
    if (at > 0 && likeness(at) < likeness(least)) least = at;
    const balanced = Math.min(left, total - left) >= words * LEAST;
    if (at > 0 && balanced && likeness(at) < likeness(leastBalanced)) leastBalanced = at;
    left += unit.words;
  });
  if (total > words) return leastBalanced ?? least;
  return likeness(leastBalanced) < parting ? leastBalanced : undefined;
};

/** Neighbours less alike than this part. */
const partingOf = (likenesses: readonly number[]): number => {
  const mean = likenesses.reduce((sum, one) => sum + one, 0) / likenesses.length;
  const variance = likenesses.reduce((sum, one) => sum + (one - mean) ** 2, 0) / likenesses.length;
  return mean - Math.sqrt(variance);
};

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
