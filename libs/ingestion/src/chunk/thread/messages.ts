import type { Chunking, ErrorCode } from '@postmaster/contracts';
import type { ChunkableDocument, ChunkedParagraph, ChunkSettings } from '../chunker.js';

/** What the thread is started with. */
export interface ChunkTask {
  document: ChunkableDocument;
  chunking: Chunking;
  settings: ChunkSettings;
}

export type ThreadAnswer =
  | { do: 'encode'; texts: readonly string[] } // answered with the vectors, in order
  | { do: 'end'; paragraphs: ChunkedParagraph[] }
  | { do: 'refuse'; code: ErrorCode; message: string; next: string }
  | { do: 'fail'; why: string };
