import { Readable } from 'node:stream';
import { JetStreamApiError } from '@nats-io/jetstream';
import { headers, nuid as newNuid } from '@nats-io/nats-core';
import type { TenantId } from '@postmaster/contracts';
import type { BlobStore, StoredBlob } from '@postmaster/ingestion';
import { nothingOf, requireHash } from './blob-key.js';
import { natsBucket, type NatsBucketOptions, type ObjectMeta, WRONG_LAST_SEQUENCE } from './nats-bucket.js';
import { readChunks, writeChunks } from './nats-chunks.js';
import { unfinishedIn } from './nats-unfinished.js';
import { spoolIn } from './spool.js';

export interface NatsBlobsOptions extends NatsBucketOptions {
  /** A folder of this machine that uploads and copies pass through. */
  spool: string;
  now?: () => number;
}

/**
 * Bytes in a NATS object store under `<tenant>/<hash>`, in the form that other clients of it read. An upload comes in
 * whole before the store sees any of it.
 */
export const natsBlobs = ({ spool: folder, now, ...options }: NatsBlobsOptions): BlobStore => {
  const bucket = natsBucket(options);
  const unfinished = unfinishedIn(bucket, now);
  const spool = spoolIn(folder, now);
  const nameOf = (tenant: TenantId, hash: string): string => `${tenant}/${requireHash(hash)}`;
  const existing = async (tenant: TenantId, hash: string): Promise<ObjectMeta> => {
    const { meta } = await bucket.find(nameOf(tenant, hash));
    if (!meta) throw nothingOf(hash);
    return meta;
  };
  const open = async (tenant: TenantId, hash: string, range?: { start: number; end: number }): Promise<Readable> => {
    const meta = await existing(tenant, hash);
    const end = Math.min(range?.end ?? Infinity, meta.size - 1);
    return Readable.from(readChunks(bucket, meta, { start: range?.start ?? 0, end }), { objectMode: false });
  };

  const purgeChunks = (nuid: string) =>
    bucket.manage(({ streams }) => streams.purge(bucket.stream, { filter: bucket.chunksOf(nuid) }));

  const store = async (name: string, path: string, { hash, bytes }: StoredBlob): Promise<void> => {
    await bucket.ensure();
    const { meta: present, revision } = await bucket.find(name);
    if (present) return;
    const nuid = newNuid.next();
    await unfinished.begin(name, nuid);
    const { chunks, first, size } = await writeChunks(bucket, nuid, path);
    const meta = {
      ...{ name, bucket: options.bucket, nuid, size: bytes, chunks, description: '', deleted: false },
      mtime: new Date(now?.() ?? Date.now()).toISOString(),
      digest: `SHA-256=${Buffer.from(hash, 'hex').toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`,
      options: { max_chunk_size: size },
      metadata: { first: String(first) },
    };
    const alone = headers();
    alone.set('Nats-Rollup', 'sub');
    try {
      const expect = { lastSubjectSequence: revision };
      await bucket.publish(bucket.metaOf(name), JSON.stringify(meta), {
        headers: alone,
        msgID: `${nuid}:meta`,
        expect,
      });
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== WRONG_LAST_SEQUENCE) throw error;
      await purgeChunks(nuid); // someone else stored the same bytes at the same moment
    }
    await unfinished.end(nuid);
  };

  return {
    put: (tenant, bytes, limits) =>
      spool.whole(bytes, limits, async (path, blob) => {
        await store(nameOf(tenant, blob.hash), path, blob);
        return blob;
      }),
    open,
    local: async (tenant, hash, use) => spool.copy(hash, await open(tenant, hash), use),
    has: async (tenant, hash) => (await bucket.find(nameOf(tenant, hash))).meta !== null,
    remove: async (tenant, hash) => {
      const name = nameOf(tenant, hash);
      const { meta, revision } = await bucket.find(name);
      if (!meta) return;
      await unfinished.begin(name, meta.nuid);
      await bucket.manage(({ streams }) => streams.deleteMessage(bucket.stream, revision)); // this one, no later one
      await purgeChunks(meta.nuid);
      await unfinished.end(meta.nuid);
    },
    sweepTemporary: async (olderThanMs) => (await spool.sweep(olderThanMs)) + (await unfinished.sweep(olderThanMs)),
    check: () => bucket.ensure(),
  };
};
