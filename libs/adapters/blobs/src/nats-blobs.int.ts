import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { TenantId } from '@postmaster/contracts';
import { blobContract } from '@postmaster/testing/suites';
import { type NatsServer, startNats } from '@postmaster/testing';
import { natsBucket } from './nats-bucket.js';
import { natsBlobs, type NatsBlobsOptions } from './nats-blobs.js';
import { unfinishedIn } from './nats-unfinished.js';

const tenant = TenantId.parse('ours');
const limits = { maxBytes: 100_000_000 };
let nats: NatsServer;
let connection: NatsConnection;
let spool: string;
let buckets = 0;

beforeAll(async () => {
  nats = await startNats();
  spool = await mkdtemp(join(tmpdir(), 'postmaster-spool-'));
  connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});
afterAll(async () => {
  await connection.close();
  await nats.stop();
  await rm(spool, { recursive: true, force: true });
});

const fresh = (options: Partial<NatsBlobsOptions> = {}) => {
  const bucket = `blobs-${(buckets += 1)}`;
  const all = {
    connect: async () => connection,
    bucket,
    storage: 'memory' as const,
    spool,
    timeoutMs: 1_000,
    ...options,
  };
  return { bucket, all, blobs: natsBlobs(all) };
};
/** How many messages the bucket holds, by the kind of their subject: M, C, or C.unfinished. */
const messages = async (bucket: string): Promise<Record<string, number>> => {
  const { streams } = await jetstreamManager(connection);
  const { state } = await streams.info(`OBJ_${bucket}`, { subjects_filter: '>' });
  const kinds: Record<string, number> = {};
  for (const [subject, count] of Object.entries(state.subjects ?? {})) {
    const kind = subject.split('.').slice(2, -1).join('.');
    kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  return kinds;
};

blobContract('A NATS object store', async () => fresh().blobs);

describe('Blobs in NATS', () => {
  it('can be read by any client of the object store', async () => {
    const { bucket, blobs } = fresh();
    const bytes = randomBytes(300_000);
    const { hash } = await blobs.put(tenant, Readable.from([bytes]), limits);
    const store = await new Objm(jetstream(connection)).open(bucket);
    expect(Buffer.from((await store.getBlob(`ours/${hash}`)) ?? []).equals(bytes)).toBe(true);
    await store.delete(`ours/${hash}`);
    expect(await blobs.has(tenant, hash)).toBe(false);
    await blobs.put(tenant, Readable.from([bytes]), limits);
    expect((await buffer(await blobs.open(tenant, hash))).equals(bytes)).toBe(true);
  });

  it('keep one copy of equal bytes, and nothing once they are removed', async () => {
    const { bucket, blobs } = fresh();
    const bytes = randomBytes(300_000);
    const stored = await Promise.all([1, 2, 3, 4].map(() => blobs.put(tenant, Readable.from([bytes]), limits)));
    expect(await messages(bucket)).toEqual({ M: 1, C: 3 });
    await blobs.remove(tenant, stored[0]?.hash ?? '');
    expect(await messages(bucket)).toEqual({});
  });

  it('are read in part, also where the chunks of several lie between one another', async () => {
    const { blobs } = fresh();
    const files = [1, 2, 3, 4].map(() => randomBytes(1_000_000));
    const stored = await Promise.all(files.map((bytes) => blobs.put(tenant, Readable.from([bytes]), limits)));
    for (const [at, { hash }] of stored.entries()) {
      for (const [start, end] of [
        [700_000, 700_010],
        [131_071, 131_072],
        [0, 0],
        [999_999, 999_999],
        [262_144, 999_999],
      ] as const) {
        const part = await buffer(await blobs.open(tenant, hash, { start, end }));
        expect(part.equals(files[at]?.subarray(start, end + 1) ?? Buffer.alloc(0))).toBe(true);
      }
    }
  });

  it('leave nothing of an upload or a removal whose process was killed, once swept', async () => {
    const { bucket, all, blobs } = fresh();
    const { hash } = await blobs.put(tenant, Readable.from([randomBytes(300_000)]), limits);
    // A killed upload has its note and some chunks; one killed after its last step, its note; a removal, note and chunks.
    const open = natsBucket(all);
    const notes = unfinishedIn(open);
    await notes.begin('ours/never', 'HALF');
    await open.publish(open.chunksOf('HALF'), randomBytes(1_000), { msgID: 'half' });
    const { meta } = await open.find(`ours/${hash}`);
    await notes.begin(`ours/${hash}`, String(meta?.nuid));
    expect(await blobs.sweepTemporary(60_000)).toBe(0); // they may still be at it
    expect(await messages(bucket)).toEqual({ M: 1, C: 4, 'C.unfinished': 2 });
    expect(await blobs.sweepTemporary(-60_000)).toBe(2);
    expect(await messages(bucket)).toEqual({ M: 1, C: 3 });
    expect(await blobs.has(tenant, hash)).toBe(true);
  });

  it('are refused with a code, in time, while the server is away, and come back with it', async () => {
    const { blobs } = fresh({ storage: 'file', timeoutMs: 300 });
    const bytes = randomBytes(500_000);
    const { hash } = await blobs.put(tenant, Readable.from([bytes]), limits);
    await nats.kill();
    const began = Date.now();
    const away = { code: 'SERVICE_UNAVAILABLE' };
    await expect(blobs.put(tenant, Readable.from([randomBytes(10)]), limits)).rejects.toMatchObject(away);
    await expect(blobs.open(tenant, hash)).rejects.toMatchObject(away);
    await expect(blobs.local(tenant, hash, async () => {})).rejects.toMatchObject(away);
    await expect(blobs.remove(tenant, hash)).rejects.toMatchObject(away);
    await expect(blobs.check()).rejects.toMatchObject(away);
    expect(Date.now() - began).toBeLessThan(5_000);
    await nats.restart();
    await untilSome(async () => connection.flush().then(() => true));
    await blobs.check();
    expect((await buffer(await blobs.open(tenant, hash))).equals(bytes)).toBe(true);
    expect(await readdir(spool)).toEqual([]);
  });

  it('end a read with a code where the server goes away in the middle of it', async () => {
    const { blobs } = fresh({ storage: 'file', timeoutMs: 300 });
    const { hash } = await blobs.put(tenant, Readable.from([randomBytes(2_000_000)]), limits);
    const reading = await blobs.open(tenant, hash);
    await nats.kill();
    await expect(buffer(reading)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await nats.restart();
    await untilSome(async () => connection.flush().then(() => true));
  });

  it('come in whole although the server is killed and started again in the middle', async () => {
    const { blobs, bucket } = fresh({ storage: 'file', timeoutMs: 2_000 });
    const bytes = randomBytes(20_000_000);
    const put = blobs.put(tenant, Readable.from([bytes]), limits);
    await untilSome(() => messages(bucket).then(({ C = 0 }) => C > 10));
    await nats.kill();
    await nats.restart();
    const { hash } = await put;
    expect((await buffer(await blobs.open(tenant, hash))).equals(bytes)).toBe(true);
    expect(await messages(bucket)).toMatchObject({ M: 1, C: Math.ceil(20_000_000 / 131_072) });
  });

  it('make their bucket anew where it is gone', async () => {
    const { blobs, bucket } = fresh();
    const { hash } = await blobs.put(tenant, Readable.from(['text']), limits);
    await (await jetstreamManager(connection)).streams.delete(`OBJ_${bucket}`);
    expect(await blobs.has(tenant, hash)).toBe(false);
    await blobs.put(tenant, Readable.from(['text']), limits);
    expect(await blobs.has(tenant, hash)).toBe(true);
  });

  it('say at the start what no other try will change', async () => {
    const { blobs } = fresh({ replicas: 3 });
    await expect(blobs.check()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

const untilSome = async (seen: () => Promise<boolean>): Promise<void> => {
  while (!(await seen().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 5));
};
