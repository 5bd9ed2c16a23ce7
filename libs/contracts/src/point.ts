import { z } from 'zod';

export const Scalar = z.union([z.string(), z.number(), z.boolean()]);
export type Scalar = z.infer<typeof Scalar>;

/** What a document's points carry of their document. Dates are ISO 8601, UTC. */
export const DocumentFacts = z.object({
  title: z.string(),
  contentType: z.string(),
  language: z.string().nullable(), // ISO 639-1
  sourceType: z.string(),
  sourceId: z.string(),
  collection: z.string().nullable(),
  createdAt: z.string().nullable(), // the original's own date
  addedAt: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  /** Its text is in no event and no point, where it and `trail` are empty: ingestion reads it from the document's file. */
  reference: z.literal(true).optional(),
});
export type DocumentFacts = z.infer<typeof DocumentFacts>;

/** Where a paragraph stands. Offsets are code points of the document's plain text; `end` is past the last one. */
export const ParagraphPlace = z.object({
  position: z.number().int(),
  page: z.number().int().nullable(), // 1-based; null where the format has no pages
  start: z.number().int(),
  end: z.number().int(),
  trail: z.array(z.string()), // headings above it, outermost first
});
export type ParagraphPlace = z.infer<typeof ParagraphPlace>;

/** A point without its vectors: one paragraph, or title and summary of a document (`kindOf`), searched only while `active`. */
export interface PointPayload extends DocumentFacts, ParagraphPlace {
  document: string;
  version: number;
  active: boolean;
  text: string;
  simpleQuestions: string[];
  complexQuestions: string[];
  context: string;
  scope: string;
}

/** All given conditions must hold; within one list any may. Dates are ISO 8601, from inclusive, to exclusive. */
export const SearchFilter = z
  .object({
    documents: z.array(z.string()).max(1000).optional(),
    collections: z.array(z.string()).max(100).optional(),
    sourceTypes: z.array(z.string()).max(100).optional(),
    contentTypes: z.array(z.string()).max(100).optional(),
    languages: z.array(z.string()).max(100).optional(),
    createdFrom: z.string().optional(),
    createdTo: z.string().optional(),
    addedFrom: z.string().optional(),
    addedTo: z.string().optional(),
    titleWords: z.array(z.string().min(1)).max(20).optional(), // each is a word of the title, in any case
    metadata: z
      .array(z.object({ key: z.string().min(1), value: Scalar }))
      .max(20)
      .optional(),
  })
  .strict();
export type SearchFilter = z.infer<typeof SearchFilter>;

/** The encoder whose vectors an index holds: vectors of different ids are never compared. */
export interface IndexSpec {
  /** Safe as a folder or collection name: `[a-z0-9_-]{1,80}`. */
  name: string;
  encoder: string;
  dimension: number;
}
