import type { Readable } from 'node:stream';
import type { Failure } from '@postmaster/contracts';

/** One piece of a document's plain text, in reading order. Offsets are code points of that text. */
export interface Block {
  /** An aside is part of the text and of no paragraph: the history and the signature of a mail. */
  kind: 'heading' | 'text' | 'table' | 'list' | 'code' | 'aside';
  /** Of a heading: 1–6. */
  level?: number;
  start: number;
  end: number;
  /** 1-based, where the block starts; absent where the format has no pages. */
  page?: number;
  /** ISO 639-1; absent where the block is too short or mixed to tell. */
  language?: string;
}

/** A file within a document, of a mail or an archive: a document of its own. */
export interface FoundAttachment {
  /** Its name within its parent, folders with forward slashes: safe to store and show, and unlike the others'. */
  path: string;
  /** The last part of it. */
  name: string;
  /** As its parent declares it. */
  contentType: string | null;
  bytes: number;
  /** Why it can't be had; the others can. */
  failure?: Failure;
}

/** Takes a file within a document; its stream is to be read to its end. */
export type KeepAttachment = (attachment: FoundAttachment, bytes: Readable) => Promise<void>;

/** What a parser makes of a document's bytes. */
export interface ParsedDocument {
  /** Found by content, not by name: "application/pdf", "text/markdown" … */
  contentType: string;
  /** The document's own, else its first heading, else null. */
  title: string | null;
  /** The original's own date, ISO 8601. */
  createdAt: string | null;
  /** ISO 639-1, null where it can't be told. */
  language: string | null;
  /** The whole plain text; blocks are slices of it. NFC, \n line ends. */
  text: string;
  blocks: Block[];
  /** Of a format with pages: the offset at which each page's text starts, for a block may run on over a page's end. */
  pageStarts?: number[];
  /** In the document's order; absent where the format has none. */
  attachments?: FoundAttachment[];
  /** Scalars found in the document: author, subject, pages, encoding (of text formats) … */
  metadata: Record<string, string | number | boolean>;
}

export interface ParseLimits {
  /** Of one document, from when a process takes it up; anew for each page whose text is recognised (OCR). */
  timeoutMs: number;
  /** Resident memory of the process that reads, 200 at least. */
  memoryMb: number;
}

/** Reads a stored file in a process of its own. Throws CodedErrors of the list's "documents" part. */
export interface Parser {
  /**
   * `name` and `declaredType` only break ties between formats that look alike (Markdown and text); a charset in
   * `declaredType` counts where the bytes are not UTF-8. `signal` ends the work. Files within the document go to `keep`
   * one by one, those without a failure; without it none is unpacked: an archive fails, NESTED_TOO_DEEP, and a mail's
   * files are listed with that.
   */
  parse(
    file: { path: string; name: string; declaredType?: string },
    limits: ParseLimits,
    signal?: AbortSignal,
    keep?: KeepAttachment,
  ): Promise<ParsedDocument>;
  close(): Promise<void>;
}
