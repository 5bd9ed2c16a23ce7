import { z } from 'zod';
import type { ParagraphPlace } from './point.js';

/** What a point is of: a paragraph, or title and summary of its document. */
export const PointKind = z.enum(['paragraph', 'summary']);
export type PointKind = z.infer<typeof PointKind>;

/** Where a summary's point stands: below the paragraphs, whose positions begin at 0. */
export const SUMMARY_POSITION = -1;

export const kindOf = ({ position }: Pick<ParagraphPlace, 'position'>): PointKind =>
  position < 0 ? 'summary' : 'paragraph';

/** A summary's point is of a version of its document, and its id says of which: whoever owns documents can tell whether it is there. */
export const summaryId = (document: string, version: number): string => `summary-${version}-${document}`;

/** Undefined for an id of anything else: a paragraph's is a hash. */
export const readSummaryId = (id: string): { document: string; version: number } | undefined => {
  const [, version, document] = /^summary-([1-9]\d{0,8})-(.+)$/.exec(id) ?? [];
  return document === undefined ? undefined : { document, version: Number(version) };
};
