import type { Failure } from '@postmaster/contracts';
import { z } from 'zod';

export const FOLDER_MODES = ['content', 'reference'] as const;
/** reference: nothing of the content is stored, it is read from the file when it is needed. */
export type FolderMode = (typeof FOLDER_MODES)[number];

const patterns = z.array(z.string().min(1).max(500)).max(100);

/** A folder as it is asked for. */
export const GivenFolder = z.strictObject({
  /** Absolute. */
  path: z.string().min(1).max(4_096),
  /** Globs of paths within it; all kinds of documents where absent. */
  include: patterns.default([]),
  exclude: patterns.default([]),
  collection: z.string().min(1).max(200).optional(),
  /** Of each of its documents. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  mode: z.enum(FOLDER_MODES).default('content'),
  /** False: it is read once. */
  watch: z.boolean().default(false),
  /** What becomes of a document whose file is gone. */
  onGone: z.enum(['keep', 'delete']).default('keep'),
});
export type GivenFolder = z.output<typeof GivenFolder>;

export interface Folder extends GivenFolder {
  id: string;
  addedAt: Date;
  /** When all of it was last looked at. */
  scannedAt: Date | null;
  /** Why it can't be looked at, or what of it. */
  failure: Failure | null;
  /** It is being taken out, with its documents. */
  removing: boolean;
  files: FileCounts;
}

export interface FileCounts {
  /** Files that are documents. */
  taken: number;
  /** Files that could not be taken in. */
  refused: number;
  /** Documents whose files are gone. */
  gone: number;
}

/** Where a document's bytes stand, in reference mode. */
export interface FileReference {
  folder: string;
  /** Within the folder. */
  path: string;
  size: number;
  mtimeMs: number;
}
