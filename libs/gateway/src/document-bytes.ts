import type { Readable } from 'node:stream';
import type { Chunking, Identity } from '@postmaster/contracts';

/** What an uploader says of a file. */
export interface UploadFields {
  sourceType?: string;
  sourceId?: string;
  sourceUri?: string;
  title?: string;
  collection?: string;
  /** The original's own date, ISO 8601. */
  createdAt?: string;
  metadata?: Record<string, unknown>;
  priority?: 'INTERACTIVE' | 'BULK';
  chunking?: Chunking;
}

export interface Upload {
  /** Fails with TOO_LARGE or UPLOAD_BROKEN where the upload does; nothing of it may be kept then. */
  stream: Readable;
  /** The file's name, NFC, without folders. */
  name: string;
  declaredType: string;
  fields: UploadFields;
}

/** Where uploads go: the ingestion service. */
export interface Uploads {
  /** Streams the file into store and makes its document. Throws the codes of the list's "documents" part. */
  accept(identity: Identity, upload: Upload): Promise<{ document: string; version: number; unchanged: boolean }>;
}

export interface StoredOriginal {
  size: number;
  contentType: string;
  name: string;
  version: number;
  /** The bytes, or those from `start` to `end`, both inclusive. */
  read(range?: { start: number; end: number }): Readable;
}

/** Bytes of a stored document; null where the caller's tenant has none of that id. */
export interface DocumentBytes {
  /** The plain text that paragraphs' offsets count in (code points); it never changes within a version. */
  text(identity: Identity, document: string): Promise<{ text: string; version: number } | null>;
  original(identity: Identity, document: string): Promise<StoredOriginal | null>;
}
