import type { ErrorCode } from '@postmaster/contracts';
import type { ParsedDocument } from '@postmaster/ingestion';
import type { OcrSettings } from '../ocr/ocr.js';

/** From the pool to a child: one document at a time. The child reads the file itself. */
export interface ParseRequest {
  path: string;
  name: string;
  declaredType?: string;
  /** An empty folder for the files within the document, each named by its place in the list; absent: none is unpacked. */
  spool?: string;
  /** Absent: pictures are left alone. */
  ocr?: OcrSettings;
}

/** From a child: it has started, begins a page that is recognised, or how its document ended. A failure that is not `coded` means that the child is not to be used again. */
export type ChildMessage =
  | { kind: 'ready' }
  | { kind: 'page' }
  | { kind: 'parsed'; document: ParsedDocument }
  | { kind: 'failed'; code: ErrorCode; message: string; next: string; coded: boolean };
