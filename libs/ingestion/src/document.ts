import type { Chunking, Failure, Lane } from '@postmaster/contracts';
import type { FileReference } from './folders/folder.js';

export type DocumentStatus = 'ACCEPTED' | 'PARSED' | 'SEARCHABLE' | 'READY' | 'FAILED' | 'DELETED';

/** What a caller says of a document that it gives. */
export interface GivenDocument {
  /** With `sourceType` its identity; absent: the content's hash. */
  sourceType?: string;
  sourceId?: string;
  sourceUri?: string;
  title?: string;
  collection?: string;
  /** The original's own date, ISO 8601. */
  createdAt?: string;
  metadata?: Record<string, unknown>;
  /** How it is to be cut, and later versions that say nothing of it; absent: as the tenant wants it. */
  chunking?: Chunking;
  /** The file's name; NFC. */
  name: string;
  declaredType?: string;
  lane: Lane;
}

export interface Accepted {
  document: string;
  version: number;
  /** The same bytes were there under the same identity: no work is done. */
  unchanged: boolean;
}

/** A document as it is stored, of its newest version. */
export interface Document {
  id: string;
  version: number;
  activeVersion: number | null;
  title: string;
  sourceType: string;
  sourceId: string;
  sourceUri: string | null;
  collection: string | null;
  contentType: string;
  language: string | null;
  createdAt: Date | null;
  addedAt: Date;
  acceptedAt: Date;
  metadata: Record<string, unknown>;
  status: DocumentStatus;
  failure: Failure | null;
  blobHash: string | null;
  name: string;
  /** How it is cut; null until it is read. */
  chunking: Chunking | null;
  /** Where its bytes stand, of which nothing is stored. */
  reference: FileReference | null;
  /** When the file that it came from was found to be gone. */
  goneAt: Date | null;
  /** What the version that answers changed of the one before; null for the first. */
  changes: VersionChanges | null;
}

/** What differs between two versions of a document, by paragraph. */
export interface VersionChanges {
  from: number;
  to: number;
  unchanged: number;
  addedCount: number;
  removedCount: number;
  /** The first hundred, in reading order. */
  added: ChangedParagraph[];
  removed: ChangedParagraph[];
}

export interface ChangedParagraph {
  id: string;
  /** In its own version. */
  position: number;
  /** How it begins; null where no text is stored. */
  text: string | null;
}

export interface Paragraph {
  id: string;
  document: string;
  version: number;
  /** Null where it is not stored, and can't be read. */
  text: string | null;
  position: number;
  page: number | null;
  start: number;
  end: number;
  trail: string[];
  /** What to read where it is found. */
  parent: { start: number; end: number } | null;
}

/** How many of a version's paragraphs are how far. */
export interface StageCounts {
  total: number;
  textDone: number;
  textFailed: number;
  facetsDone: number;
  facetsFailed: number;
  /** Facets and text both ended, well or not. */
  settled: number;
}

/** A document's state follows from its paragraphs' and from nothing else. */
export const statusOf = ({ total, textDone, textFailed, facetsDone, facetsFailed }: StageCounts): DocumentStatus => {
  if (total > 0 && textFailed === total) return 'FAILED';
  if (textDone + textFailed < total) return 'PARSED';
  return facetsDone + facetsFailed < total ? 'SEARCHABLE' : 'READY';
};
