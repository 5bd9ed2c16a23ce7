/** One piece of a document's plain text, in reading order. Offsets are code points of that text. */
export interface Block {
  kind: 'heading' | 'text' | 'table' | 'list' | 'code';
  /** Of a heading: 1–6. */
  level?: number;
  start: number;
  end: number;
  /** 1-based; absent where the format has no pages. */
  page?: number;
}

/** What a parser makes of a document's bytes. */
export interface ParsedDocument {
  /** Found by content, not by name: "application/pdf", "text/markdown" … */
  contentType: string;
  /** From the document itself where it has one. */
  title: string | null;
  /** The original's own date, ISO 8601. */
  createdAt: string | null;
  /** ISO 639-1, null where it can't be told. */
  language: string | null;
  /** The whole plain text; blocks are slices of it. NFC, \n line ends. */
  text: string;
  blocks: Block[];
  /** Scalars found in the document: author, subject … */
  metadata: Record<string, string | number | boolean>;
}

export interface ParseLimits {
  timeoutMs: number;
  memoryMb: number;
}

/** Reads a stored file in a process of its own. Throws CodedErrors of the list's "documents" part. */
export interface Parser {
  /** `name` and `declaredType` only break ties between formats that look alike (Markdown and text). */
  parse(file: { path: string; name: string; declaredType?: string }, limits: ParseLimits): Promise<ParsedDocument>;
  close(): Promise<void>;
}
