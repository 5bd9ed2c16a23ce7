import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { type S3Server, startS3Server } from '@postmaster/testing';
import { blobContract } from '@postmaster/testing/suites';
import { type S3Blobs, s3Blobs, type S3BlobsOptions } from './s3-blobs.js';

const tenant = TenantId.parse('ours');
const limits = { maxBytes: 100_000_000 };
const ends: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const startServer = async (): Promise<S3Server> => {
  const server = await startS3Server();
  ends.push(() => server.close());
  return server;
};
const storeOn = async (
  server: S3Server,
  options: Partial<S3BlobsOptions> = {},
): Promise<S3Blobs & { spool: string }> => {
  const spool = await mkdtemp(join(tmpdir(), 'postmaster-spool-'));
  const { endpoint, bucket, ...credentials } = server;
  const common = { endpoint, bucket, credentials, region: 'eu-north-1', forcePathStyle: true, prefix: 'blobs/', spool };
  const blobs = s3Blobs({ ...common, timeoutMs: 300, connectTimeoutMs: 300, ...options });
  ends.push(
    () => rm(spool, { recursive: true, force: true }),
    () => blobs.close(),
  );
  return { ...blobs, spool };
};

blobContract('An S3-compatible store', async () => storeOn(await startServer()));

describe('Blobs in S3', () => {
  let server: S3Server;
  let blobs: Awaited<ReturnType<typeof storeOn>>;
  beforeEach(async () => {
    server = await startServer();
    blobs = await storeOn(server);
  });
  afterEach(async () => expect(await readdir(blobs.spool).catch(() => [])).toEqual([]));

  it('lie under their prefix, tenant and hash', async () => {
    const { hash } = await blobs.put(tenant, Readable.from(['text']), limits);
    expect([...server.objects.keys()]).toEqual([`blobs/ours/${hash}`]);
  });

  it('go in parts where they are large, and are sent once where they are there already', async () => {
    const bytes = Buffer.alloc(20_000_000, 'large ');
    blobs = await storeOn(server, { timeoutMs: 20_000 }); // a part that takes longer is sent again
    const { hash } = await blobs.put(tenant, Readable.from([bytes]), limits);
    expect(server.calls.filter((call) => call === 'PUT part')).toHaveLength(3);
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await buffer(await blobs.open(tenant, hash))).equals(bytes)).toBe(true);
    server.calls.length = 0;
    await blobs.put(tenant, Readable.from([bytes]), limits);
    expect(server.calls).toEqual(['HEAD object']);
  });

  it('are seen only when all of their parts are there; what a killed process began is swept', async () => {
    server.uploads.set('dead', { key: 'blobs/ours/x', initiated: new Date(Date.now() - 7_200_000), parts: new Map() });
    server.uploads.set('alive', { key: 'blobs/ours/y', initiated: new Date(), parts: new Map() });
    expect(await blobs.sweepTemporary(3_600_000)).toBe(1);
    expect([...server.uploads.keys()]).toEqual(['alive']);
  });

  it('are tried again where the store is busy for a moment', async () => {
    server.fail('busy', 2);
    await expect(blobs.put(tenant, Readable.from(['text']), limits)).resolves.toMatchObject({ bytes: 4 });
  });

  it('fail in time with a code that is worth another try where the store says nothing, and leave nothing', async () => {
    server.fail('silent', 10);
    const began = Date.now();
    const put = blobs.put(tenant, Readable.from(['text']), limits);
    await expect(put).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  it('fail with a code where the store is gone', async () => {
    await server.close();
    for (const call of [() => blobs.put(tenant, Readable.from(['text']), limits), () => blobs.check()])
      await expect(call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('are not half a file where the store stops in the middle', async () => {
    const { hash } = await blobs.put(tenant, Readable.from([Buffer.alloc(100_000)]), limits);
    server.fail('cut');
    const used: string[] = [];
    const local = blobs.local(tenant, hash, async (path) => void used.push(path));
    await expect(local).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(used).toEqual([]);
  });

  it('are not given to a parser where they are not those that were kept', async () => {
    const { hash } = await blobs.put(tenant, Readable.from(['text']), limits);
    server.objects.set(`blobs/ours/${hash}`, Buffer.from('text, changed'));
    await expect(blobs.local(tenant, hash, async () => {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('say at the start that the key, its secret or the bucket is wrong, once', async () => {
    const { accessKeyId, secretAccessKey } = server;
    const wrong: [Partial<S3BlobsOptions>, string][] = [
      [{ credentials: { accessKeyId: 'another', secretAccessKey } }, 'InvalidAccessKeyId'],
      [{ credentials: { accessKeyId, secretAccessKey: 'another' } }, 'SignatureDoesNotMatch'],
      [{ bucket: 'another' }, 'NoSuchBucket'],
    ];
    for (const [options, said] of wrong) {
      server.calls.length = 0;
      const check = (await storeOn(server, options)).check();
      await expect(check).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(said) });
      expect(server.calls).toEqual(['GET list']);
    }
    await expect((await storeOn(server, wrong[1]?.[0])).check()).rejects.not.toMatchObject({
      message: expect.stringContaining('another'),
    });
  });
});
