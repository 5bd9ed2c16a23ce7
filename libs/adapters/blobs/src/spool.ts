import type { Readable } from 'node:stream';
import { CodedError } from '@postmaster/contracts';
import type { BlobStore, StoredBlob } from '@postmaster/ingestion';
import { temporaryFolder } from './temporary-folder.js';
import { writeHashed } from './write-hashed.js';

/** The way of bytes to and from a store that is not on this machine. */
export interface Spool {
  /**
   * Brings a whole upload in before any of it goes to the store, which takes it by its hash: a broken upload never
   * reaches it.
   */
  whole<R>(
    bytes: Readable,
    limits: Parameters<BlobStore['put']>[2],
    use: (path: string, blob: StoredBlob) => Promise<R>,
  ): Promise<R>;
  /** A copy of stored bytes, checked against their hash. */
  copy<R>(hash: string, bytes: Readable, use: (path: string) => Promise<R>): Promise<R>;
  sweep(olderThanMs: number): Promise<number>;
}

export const spoolIn = (folder: string, now?: () => number): Spool => {
  const temporary = temporaryFolder(folder, now);
  return {
    whole: (bytes, limits, use) => {
      bytes.on('error', () => {}); // it may fail before it is read; reading it then throws
      return temporary.withFile(async (file) =>
        use(file, await writeHashed(file, bytes, { ...limits, passing: true })),
      );
    },
    copy: (hash, bytes, use) => {
      bytes.on('error', () => {});
      return temporary.withFile(async (file) => {
        const copied = await writeHashed(file, bytes, { maxBytes: Infinity, passing: true }).catch(cutShort);
        if (copied.hash !== hash)
          throw new CodedError(
            'SERVICE_UNAVAILABLE',
            `The blob store gives other bytes than were kept under "${hash}".`,
          );
        return use(file);
      });
    },
    sweep: (olderThanMs) => temporary.sweep(olderThanMs),
  };
};

/** Here the sender is the store. */
const cutShort = (error: unknown): never => {
  if (!(error instanceof CodedError) || error.code !== 'UPLOAD_BROKEN') throw error;
  throw error.cause instanceof CodedError
    ? error.cause
    : new CodedError('SERVICE_UNAVAILABLE', 'The blob store stopped in the middle of a blob.', { cause: error.cause });
};
