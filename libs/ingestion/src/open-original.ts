import type { Readable } from 'node:stream';
import { CodedError, type TenantId } from '@postmaster/contracts';
import type { BlobStore } from './blob-store.js';
import { isSame } from './folders/compare-files.js';
import type { FolderFiles } from './folders/folder-files.js';
import type { Original } from './read-documents.js';

export type OpenOriginal = (
  tenant: TenantId,
  original: Original,
  range?: { start: number; end: number },
) => Promise<Readable>;

/**
 * The bytes of an original, or those of `range`, both ends included: from the store, or from where they stand. Throws
 * NOT_FOUND; SOURCE_GONE and SOURCE_CHANGED for a file that is not as it was when it was read.
 */
export const openOriginal =
  ({ blobs, files }: { blobs: BlobStore; files: FolderFiles }): OpenOriginal =>
  async (tenant, { hash, name, source }, range) => {
    if (!source) return blobs.open(tenant, hash, range);
    const { bytes, ...state } = await files.open(tenant, source.root, source.path, range);
    if (isSame(state, source) && source.hash === hash) return bytes;
    bytes.destroy();
    throw new CodedError('SOURCE_CHANGED', `The file "${name}" has changed since it was read.`);
  };
