import { CodedError } from '@postmaster/contracts';
import type { ChunkableDocument, ChunkedParagraph, ChunkSettings, Span } from './chunker.js';
import { codePointsOf, type CodePoints } from './code-points.js';
import { divide, hasLongLine } from './divide.js';
import { mergeParts } from './merge-parts.js';
import { type Part, type Section, sectionsOf } from './sections.js';
import { pageAt, spansOf } from './spans.js';

const MAX_STRETCH = 1.5;

/**
 * The document's own paragraphs of up to `words` words (1.5 × as many stay whole where they are one in the document),
 * small neighbours together. Guaranteed beside the contract: without overlap, never over a heading, over a page only
 * within one block of text; and a border depends only on its surroundings within its section, so that an edit leaves
 * distant paragraphs as they were.
 */
export const byParagraphs = (document: ChunkableDocument, settings: ChunkSettings): ChunkedParagraph[] => {
  const points = codePointsOf(document.text);
  return sectionsOf(document.blocks, points)
    .flatMap((section) => paragraphsOf(section, document, points, settings))
    .map((paragraph, position) => ({ ...paragraph, position }));
};

/** The paragraphs of one section. */
export const paragraphsOf = (
  { trail, parts }: Pick<Section, 'trail' | 'parts'>,
  { language, pageStarts }: ChunkableDocument,
  points: CodePoints,
  settings: ChunkSettings,
): Omit<ChunkedParagraph, 'position'>[] =>
  mergeParts(parts, settings.words).flatMap((group) => {
    const place = { ...placeOf(group, language), trail };
    return piecesOf(group, points, settings, place).map(({ start, end }) => {
      const page = pageAt(start, pageStarts) ?? group[0]?.page ?? null;
      return { ...place, text: points.slice(start, end), page, start, end };
    });
  });

/** What the largest part of a paragraph says of it. */
export const placeOf = (
  group: readonly Part[],
  language: string | null,
): Pick<ChunkedParagraph, 'kind' | 'language'> => {
  const largest = group.reduce((best, part) => (part.words > best.words ? part : best));
  return { kind: largest.kind, language: largest.language ?? language };
};

const piecesOf = (
  group: readonly Part[],
  points: CodePoints,
  { words, long }: ChunkSettings,
  { kind, language }: Pick<ChunkedParagraph, 'kind' | 'language'>,
): Span[] => {
  const start = group[0]?.start ?? 0;
  const end = group.at(-1)?.end ?? start;
  const most = words * MAX_STRETCH;
  const total = group.reduce((sum, part) => sum + part.words, 0);
  if (total <= most) return [{ start, end }];

  const text = points.slice(start, end);
  const by = kind === 'text' ? 'sentences' : 'lines';
  // Lists and tables are divided between their lines anyhow: only a line of theirs can be too long.
  if (long === 'refuse' && (by === 'sentences' || hasLongLine(text, most))) throw tooLong(text, total, most, group);
  return spansOf(divide(text, words, by, language), text, start, points);
};

const tooLong = (text: string, total: number, most: number, group: readonly Part[]): CodedError => {
  const page = group[0]?.page;
  const where = page === undefined ? '' : ` on page ${page}`;
  const opening = text.slice(0, 60).replace(/\s+/g, ' ');
  return new CodedError(
    'PARAGRAPH_TOO_LONG',
    `A paragraph${where} has ${total} words, more than the ${Math.floor(most)} allowed: "${opening} …".`,
  );
};
