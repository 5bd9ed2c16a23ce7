import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import type { TenantId } from '@postmaster/contracts';
import type { BlobStore } from '@postmaster/ingestion';
import { nothingOf, requireHash } from './blob-key.js';
import { isNothing, s3Failure, s3StartFailure } from './s3-errors.js';
import { sweepUploads, uploadFile } from './s3-upload.js';
import { spoolIn } from './spool.js';

export interface S3BlobsOptions {
  /** Of an S3-compatible store; Amazon's own for the region where absent. */
  endpoint?: string;
  region: string;
  bucket: string;
  /** Before every key: "blobs/", or nothing. */
  prefix?: string;
  /** Absent: from where Amazon's clients look for it (roles, profiles). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** The bucket in the path instead of the host's name, as most stores other than Amazon's want it. */
  forcePathStyle?: boolean;
  /** A folder of this machine that uploads and copies pass through. */
  spool: string;
  /** How long the store may take to begin an answer, and may pause within one. */
  timeoutMs?: number;
  connectTimeoutMs?: number;
  /** Of one call, the first one included. */
  tries?: number;
  now?: () => number;
}

export interface S3Blobs extends BlobStore {
  close(): void;
}

/** Bytes in an S3-compatible store under `<prefix><tenant>/<hash>`. An upload comes in whole before the store sees any of it. */
export const s3Blobs = (options: S3BlobsOptions): S3Blobs => {
  const { bucket, prefix = '', now = Date.now, timeoutMs = 10_000 } = options;
  const client = new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: options.credentials,
    forcePathStyle: options.forcePathStyle,
    maxAttempts: options.tries ?? 3,
    requestHandler: {
      connectionTimeout: options.connectTimeoutMs ?? 3_000,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
    // The signature covers the bytes; many stores know no other checksum.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const place = { client, bucket };
  const spool = spoolIn(options.spool, now);
  const keyOf = (tenant: TenantId, hash: string): string => `${prefix}${tenant}/${requireHash(hash)}`;
  const told = async <R>(call: () => Promise<R>, failure = s3Failure): Promise<R> => {
    try {
      return await call();
    } catch (error) {
      throw failure(error, bucket);
    }
  };

  const has = (tenant: TenantId, hash: string): Promise<boolean> =>
    told(async () => {
      try {
        await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(tenant, hash) }));
        return true;
      } catch (error) {
        if (isNothing(error)) return false;
        throw error;
      }
    });
  const open = (tenant: TenantId, hash: string, range?: { start: number; end: number }): Promise<Readable> =>
    told(async () => {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const asked = new GetObjectCommand({ Bucket: bucket, Key: keyOf(tenant, hash), Range });
      const { Body } = await client.send(asked).catch((error: unknown) => {
        throw isNothing(error) ? nothingOf(hash) : error;
      });
      return Readable.from(bytesOf(Body as Readable, bucket), { objectMode: false }); // in Node it is one
    });

  return {
    put: (tenant, bytes, limits) =>
      spool.whole(bytes, limits, async (path, blob) => {
        if (await has(tenant, blob.hash)) return blob;
        await told(() => uploadFile(place, keyOf(tenant, blob.hash), path, blob.bytes));
        return blob;
      }),
    open,
    local: async (tenant, hash, use) => spool.copy(hash, await open(tenant, hash), use),
    has,
    remove: (tenant, hash) =>
      told(async () => {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(tenant, hash) }));
      }),
    sweepTemporary: async (olderThanMs) =>
      (await spool.sweep(olderThanMs)) + (await told(() => sweepUploads(place, prefix, new Date(now() - olderThanMs)))),
    check: () =>
      told(async () => {
        await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }));
      }, s3StartFailure),
    close: () => client.destroy(),
  };
};

/** A store that stops in the middle is told apart from one that says no. */
async function* bytesOf(body: Readable, bucket: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer; // no encoding is set
  } catch (error) {
    throw s3Failure(error, bucket);
  }
}
