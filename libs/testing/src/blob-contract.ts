import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import type { BlobStore } from '@postmaster/ingestion';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const limits = { maxBytes: 1_000_000 };

/** What every blob store does. `make` gives a new, empty one. */
export const blobContract = (name: string, make: () => Promise<BlobStore>): void => {
  describe(`${name} as a blob store`, () => {
    let blobs: BlobStore;
    beforeEach(async () => {
      blobs = await make();
    });
    const nothingLeftBehind = async () => expect(await blobs.sweepTemporary(-60_000)).toBe(0);

    it('gives back the bytes under their SHA-256, as a stream, in part, and as a file', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251));
      const pieces = [bytes.subarray(0, 100_000), bytes.subarray(100_000, 100_001), bytes.subarray(100_001)];
      const stored = await blobs.put(ours, Readable.from(pieces), limits);
      expect(stored).toEqual({ hash: sha256(bytes), bytes: 300_000 });
      expect((await buffer(await blobs.open(ours, stored.hash))).equals(bytes)).toBe(true);
      const part = await buffer(await blobs.open(ours, stored.hash, { start: 5, end: 9 }));
      expect(part.equals(bytes.subarray(5, 10))).toBe(true);
      const last = await buffer(await blobs.open(ours, stored.hash, { start: 299_990, end: 299_999 }));
      expect(last.equals(bytes.subarray(299_990))).toBe(true);
      const across = await buffer(await blobs.open(ours, stored.hash, { start: 131_000, end: 262_500 }));
      expect(across.equals(bytes.subarray(131_000, 262_501))).toBe(true);
      expect(await blobs.local(ours, stored.hash, async (path) => (await readFile(path)).equals(bytes))).toBe(true);
      await nothingLeftBehind();
    });

    it('passes on what the user of its file throws, and leaves no copy', async () => {
      const { hash } = await blobs.put(ours, Readable.from([Buffer.from('text')]), limits);
      const used = blobs.local(ours, hash, () => Promise.reject(new TypeError('not readable')));
      await expect(used).rejects.toThrow(TypeError);
      await nothingLeftBehind();
    });

    it('stays whole for whoever reads it while the same bytes come in again', async () => {
      const bytes = Buffer.alloc(400_000, 'again ');
      const { hash } = await blobs.put(ours, Readable.from([bytes]), limits);
      const reading = await blobs.open(ours, hash);
      await blobs.put(ours, Readable.from([bytes]), limits);
      expect((await buffer(reading)).equals(bytes)).toBe(true);
      await nothingLeftBehind();
    });

    it('may be stored again after it was removed', async () => {
      const { hash } = await blobs.put(ours, Readable.from([Buffer.from('twice')]), limits);
      await blobs.remove(ours, hash);
      await expect(blobs.open(ours, hash)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await blobs.put(ours, Readable.from([Buffer.from('twice')]), limits);
      expect((await buffer(await blobs.open(ours, hash))).toString()).toBe('twice');
      await nothingLeftBehind();
    });

    it('says at the start that it can be used', async () => {
      await expect(blobs.check()).resolves.toBeUndefined();
    });

    it('keeps equal bytes once, whoever writes them at the same moment', async () => {
      const stored = await Promise.all(
        Array.from({ length: 8 }, () => blobs.put(ours, Readable.from([Buffer.from('same')]), limits)),
      );
      expect(new Set(stored.map(({ hash }) => hash)).size).toBe(1);
      await blobs.remove(ours, sha256(Buffer.from('same')));
      expect(await blobs.has(ours, sha256(Buffer.from('same')))).toBe(false);
    });

    it('keeps an empty stream as what it is', async () => {
      const stored = await blobs.put(ours, Readable.from([]), limits);
      expect(stored).toEqual({ hash: sha256(Buffer.alloc(0)), bytes: 0 });
      expect(await buffer(await blobs.open(ours, stored.hash))).toHaveLength(0);
    });

    it('gives a tenant nothing of another', async () => {
      const { hash } = await blobs.put(ours, Readable.from([Buffer.from('secret')]), limits);
      expect(await blobs.has(theirs, hash)).toBe(false);
      await expect(blobs.open(theirs, hash)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await blobs.remove(theirs, hash);
      expect(await blobs.has(ours, hash)).toBe(true);
    });

    it('refuses a stream as soon as it passes the limit, stops reading it, and leaves nothing', async () => {
      let given = 0;
      const endless = Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc((given += 1_000) && 1_000);
        })(),
      );
      const put = blobs.put(ours, endless, { maxBytes: 10_000 });
      await expect(put).rejects.toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining('10,000') });
      expect(endless.destroyed).toBe(true);
      expect(given).toBeLessThan(100_000);
      await nothingLeftBehind();
    });

    it('takes a stream of exactly the limit', async () => {
      expect((await blobs.put(ours, Readable.from([Buffer.alloc(10)]), { maxBytes: 10 })).bytes).toBe(10);
    });

    it('says that an upload broke when its stream fails, and leaves nothing', async () => {
      const broken = new PassThrough();
      broken.write('begun');
      setImmediate(() => broken.destroy(new Error('connection reset')));
      await expect(blobs.put(ours, broken, limits)).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' });
      const cut = new PassThrough();
      setImmediate(() => cut.destroy());
      await expect(blobs.put(ours, cut, limits)).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' });
      await nothingLeftBehind();
    });

    it('ends an upload that is called off', async () => {
      const caller = new AbortController();
      const waiting = new PassThrough();
      setImmediate(() => caller.abort());
      await expect(blobs.put(ours, waiting, { ...limits, signal: caller.signal })).rejects.toMatchObject({
        code: 'UPLOAD_BROKEN',
      });
      expect(waiting.destroyed).toBe(true);
    });

    it('finds nothing under what is not a hash', async () => {
      await expect(blobs.open(ours, '../../etc/passwd')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(blobs.local(ours, '..', async () => {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(blobs.local(ours, sha256(Buffer.from('never')), async () => {})).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });

    it('removes without error what is not there', async () => {
      await expect(blobs.remove(ours, sha256(Buffer.from('never')))).resolves.toBeUndefined();
    });
  });
};
