import type { ParsedDocument } from '../block.js';

export interface ChunkSettings {
  /** What a paragraph should have at most; each strategy says what it makes of it. */
  words: number;
  /** What `paragraphs` does with a longer one: divide it at sentence ends, or throw PARAGRAPH_TOO_LONG. Others divide. */
  long: 'split' | 'refuse';
}

/** A stretch of the document's plain text in code points; `end` is past the last one. */
export interface Span {
  start: number;
  end: number;
}

/** A paragraph: `text` is the document's text from `start` to `end`, letter for letter. */
export interface ChunkedParagraph extends Span {
  text: string;
  /** That of its largest part. */
  kind: 'text' | 'table' | 'list' | 'code';
  /** 0-based, in reading order. */
  position: number;
  /** 1-based, where it starts; null where the format has no pages. */
  page: number | null;
  /** Headings above its beginning, outermost first. */
  trail: string[];
  /** ISO 639-1, null where it can't be told. */
  language: string | null;
  /** What to read where this is found, and more than this; absent where there is no more. */
  parent?: Span;
}

export type ChunkableDocument = Pick<ParsedDocument, 'text' | 'blocks' | 'language' | 'pageStarts'>;

/** One unit-length vector per text, in order, however many. Throws SERVICE_UNAVAILABLE, TIMED_OUT and ENCODER_ codes. */
export type EncodePassages = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * Cuts a document. Guaranteed by every strategy: each paragraph is a slice of the text, trimmed and not empty; every word
 * of a block is in one of them, or in a trail, but none of an aside; they come in the order of their starts and of their ends, and none lies
 * within another; no cut is within a code point, nor within a sentence or a line that is no longer than a paragraph
 * may be, except where the strategy counts; the same document and settings give the same paragraphs.
 */
export type Chunker = (
  document: ChunkableDocument,
  settings: ChunkSettings,
  encode: EncodePassages,
) => ChunkedParagraph[] | Promise<ChunkedParagraph[]>;
