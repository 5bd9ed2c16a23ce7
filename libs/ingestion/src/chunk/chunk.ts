import { CodedError } from '@postmaster/contracts';
import type { ParsedDocument } from '../block.js';
import { codePointsOf, type CodePoints } from './code-points.js';
import { divide, hasLongLine } from './divide.js';
import { mergeParts } from './merge-parts.js';
import { sectionsOf, type Part } from './sections.js';

export interface ChunkOptions {
  /** What a paragraph should have at most; 1.5 × as many stay whole where they are one paragraph in the document. */
  words: number;
  /** What to do with a longer one: divide it at sentence ends, or throw PARAGRAPH_TOO_LONG. */
  long: 'split' | 'refuse';
}

/** A paragraph: `text` is the document's text from `start` to `end` (code points), letter for letter. */
export interface ChunkedParagraph {
  text: string;
  /** That of its largest part. */
  kind: 'text' | 'table' | 'list' | 'code';
  /** 0-based, in reading order. */
  position: number;
  /** 1-based, where it starts; null where the format has no pages. */
  page: number | null;
  start: number;
  end: number;
  /** Headings above it, outermost first. */
  trail: string[];
  /** ISO 639-1, null where it can't be told. */
  language: string | null;
}

const MAX_STRETCH = 1.5;

/**
 * Cuts a document into paragraphs. Guaranteed: in order, without overlap, never over a heading, over a page only
 * within one block of text; every letter is in a
 * paragraph or in a trail; the same document gives the same paragraphs; and a border depends only on its surroundings
 * within its section, so that an edit leaves distant paragraphs as they were.
 */
export const chunk = (
  parsed: Pick<ParsedDocument, 'text' | 'blocks' | 'language' | 'pageStarts'>,
  options: ChunkOptions,
): ChunkedParagraph[] => {
  const points = codePointsOf(parsed.text);
  const paragraphs: ChunkedParagraph[] = [];
  for (const { trail, parts } of sectionsOf(parsed.blocks, points)) {
    for (const group of mergeParts(parts, options.words)) {
      const place = { ...placeOf(group, parsed.language), trail };
      for (const { start, end } of piecesOf(group, points, options, place)) {
        const page = pageAt(start, parsed.pageStarts) ?? group[0]?.page ?? null;
        paragraphs.push({ ...place, text: points.slice(start, end), position: paragraphs.length, page, start, end });
      }
    }
  }
  return paragraphs;
};

const placeOf = (group: readonly Part[], language: string | null): Pick<ChunkedParagraph, 'kind' | 'language'> => {
  const largest = group.reduce((best, part) => (part.words > best.words ? part : best));
  return { kind: largest.kind, language: largest.language ?? language };
};

const piecesOf = (
  group: readonly Part[],
  points: CodePoints,
  { words, long }: ChunkOptions,
  { kind, language }: Pick<ChunkedParagraph, 'kind' | 'language'>,
): { start: number; end: number }[] => {
  const start = group[0]?.start ?? 0;
  const end = group.at(-1)?.end ?? start;
  const most = words * MAX_STRETCH;
  const total = group.reduce((sum, part) => sum + part.words, 0);
  if (total <= most) return [{ start, end }];

  const text = points.slice(start, end);
  const by = kind === 'text' ? 'sentences' : 'lines';
  // Lists and tables are divided between their lines anyhow: only a line of theirs can be too long.
  if (long === 'refuse' && (by === 'sentences' || hasLongLine(text, most))) throw tooLong(text, total, most, group);
  const base = points.unitOf(start);
  return divide(text, words, by, language).flatMap((piece) => {
    const own = text.slice(piece.start, piece.end);
    const from = piece.start + (own.length - own.trimStart().length);
    const to = piece.start + own.trimEnd().length;
    return from < to ? [{ start: points.codePointOf(base + from), end: points.codePointOf(base + to) }] : [];
  });
};

/** The page of an offset, where the document says at which offset each of its pages starts. */
const pageAt = (offset: number, pageStarts: readonly number[] | undefined): number | undefined =>
  pageStarts && Math.max(1, pageStarts.findLastIndex((start) => start <= offset) + 1);

const tooLong = (text: string, total: number, most: number, group: readonly Part[]): CodedError => {
  const page = group[0]?.page;
  const where = page === undefined ? '' : ` on page ${page}`;
  const opening = text.slice(0, 60).replace(/\s+/g, ' ');
  return new CodedError(
    'PARAGRAPH_TOO_LONG',
    `A paragraph${where} has ${total} words, more than the ${Math.floor(most)} allowed: "${opening} …".`,
  );
};
