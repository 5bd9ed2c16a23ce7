import type { Readable } from 'node:stream';
import type { TenantId } from '@postmaster/contracts';

export interface StoredBlob {
  /** Hex SHA-256 of the bytes: their name within the tenant. */
  hash: string;
  bytes: number;
}

/**
 * Bytes of documents, by tenant and content. Every call but `sweepTemporary` and `check` may also throw
 * SERVICE_UNAVAILABLE, within a time limit, where the store does not answer: worth another try.
 */
export interface BlobStore {
  /** Stores a stream while hashing it; durable when it resolves. Throws TOO_LARGE, UPLOAD_BROKEN; leaves nothing then. */
  put(tenant: TenantId, bytes: Readable, limits: { maxBytes: number; signal?: AbortSignal }): Promise<StoredBlob>;
  /** Throws NOT_FOUND. `range` is in bytes, both ends included. */
  open(tenant: TenantId, hash: string, range?: { start: number; end: number }): Promise<Readable>;
  /**
   * A file that any process on this machine can read, and none may change, while `use` runs; it may be a copy that is
   * gone afterwards. Throws NOT_FOUND, and what `use` throws.
   */
  local<R>(tenant: TenantId, hash: string, use: (path: string) => Promise<R>): Promise<R>;
  has(tenant: TenantId, hash: string): Promise<boolean>;
  /** No error where there is nothing. */
  remove(tenant: TenantId, hash: string): Promise<void>;
  /** Removes what broken uploads and killed processes left behind, older than this. Gives how many things that were. */
  sweepTemporary(olderThanMs: number): Promise<number>;
  /**
   * Whether it can be used as it is configured, for the start. Throws CONFIG_INVALID where it refuses us or the place
   * is not there, which no other try will change, and SERVICE_UNAVAILABLE where it does not answer.
   */
  check(): Promise<void>;
}
