import type { Readable } from 'node:stream';
import type { TenantId } from '@postmaster/contracts';

export interface StoredBlob {
  /** Hex SHA-256 of the bytes: their name within the tenant. */
  hash: string;
  bytes: number;
}

/** Bytes of documents, by tenant and content. */
export interface BlobStore {
  /** Stores a stream while hashing it; durable when it resolves. Throws TOO_LARGE, UPLOAD_BROKEN; leaves nothing then. */
  put(tenant: TenantId, bytes: Readable, limits: { maxBytes: number; signal?: AbortSignal }): Promise<StoredBlob>;
  /** Throws NOT_FOUND. `range` is in bytes, both ends included. */
  open(tenant: TenantId, hash: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Where a process on this machine can read the bytes. */
  path(tenant: TenantId, hash: string): string;
  has(tenant: TenantId, hash: string): Promise<boolean>;
  /** No error where there is nothing. */
  remove(tenant: TenantId, hash: string): Promise<void>;
  /** Removes what broken uploads left behind, older than this. */
  sweepTemporary(olderThanMs: number): Promise<number>;
}
