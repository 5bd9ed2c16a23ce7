import type { Readable } from 'node:stream';
import { CodedError, type NewId, type TenantId, withoutInvisible } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { BlobStore } from './blob-store.js';
import type { Accepted, GivenDocument } from './document.js';
import { refuseZeros } from './refuse-zeros.js';
import { acceptRow, bytesErased, reserveBlob } from './rows/documents.js';
import type { IngestionTables } from './rows/tables.js';

export interface AcceptPorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
  maxBytes: number;
  now: () => Date;
  newId: NewId;
}

export type AcceptDocument = (
  tenant: TenantId,
  given: GivenDocument,
  bytes: Readable,
  signal?: AbortSignal,
) => Promise<Accepted>;

/**
 * Stores a document's bytes as they come in, then its row and the job to read it. When this resolves, the document
 * will be worked on, whatever dies next. Throws INPUT_INVALID, EMPTY_FILE, TOO_LARGE, UPLOAD_BROKEN; CONFLICT where the
 * same bytes of a deleted document were erased while these came in; TENANT_DELETED.
 */
export const acceptDocument =
  ({ db, blobs, maxBytes, now, newId }: AcceptPorts): AcceptDocument =>
  async (tenant, given, bytes, signal) => {
    const { sourceType, sourceId, sourceUri, collection, metadata } = given;
    refuseZeros({ sourceType, sourceId, sourceUri, collection, metadata });
    const blob = await blobs.put(tenant, bytes, { maxBytes, signal });
    if (blob.bytes === 0) throw new CodedError('EMPTY_FILE', `"${given.name}" has no bytes.`);
    await unlessDeleted(blobs, tenant, blob.hash, () => db.asTenant(tenant, (tx) => reserveBlob(tx, tenant, blob)));
    if (!(await blobs.has(tenant, blob.hash))) throw bytesErased(); // between the last byte and the reservation
    const named = { ...given, name: seen(given.name) || 'unnamed', title: given.title && seen(given.title) };
    return db.asTenant(tenant, (tx) => acceptRow(tx, tenant, named, blob, now(), newId));
  };

const CONTROL = /\p{Cc}+/gu;

const seen = (name: string): string => withoutInvisible(name.normalize('NFC')).replace(CONTROL, ' ').trim();

/** What comes in while its tenant is being erased goes again: no row names it. */
export const unlessDeleted = async <R>(
  blobs: BlobStore,
  tenant: TenantId,
  hash: string,
  reserve: () => Promise<R>,
): Promise<R> => {
  try {
    return await reserve();
  } catch (error) {
    if (error instanceof CodedError && error.code === 'TENANT_DELETED') await blobs.remove(tenant, hash);
    throw error;
  }
};
