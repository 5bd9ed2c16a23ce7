import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { CodedError, type Identity, TenantId } from '@postmaster/contracts';
import type { DocumentBytes, Upload, Uploads } from '../src/index.js';

/** The gateway's two ports over a real ingestion service. */
export interface Filled {
  uploads: Uploads;
  bytes: DocumentBytes;
  /** Of one file, in the service. */
  maxBytes: number;
  /** Resolves when all that came in was read. */
  settled(): Promise<unknown>;
  /** What is in the store: whole blobs, and what is left of broken ones. */
  stored(): Promise<{ whole: number; broken: number }>;
}

export const callerOf = (tenant: string): Identity => ({
  tenant: TenantId.parse(tenant),
  subject: 'key:1',
  scopes: ['read', 'write'],
});
const caller = callerOf('ours');
const stranger = callerOf('theirs');

export const uploadOf = (stream: Readable, facts: Partial<Upload> = {}): Upload => ({
  stream,
  name: 'a.txt',
  declaredType: 'text/plain',
  fields: {},
  ...facts,
});
let made = 0;
export const newText = (): string => `Text ${(made += 1)} of this test.\n\nIt ends with a flower: ✿`;

/** How the gateway sees an upload end: the stream's own failure is the first cause. */
export const failureOf = async (uploads: Uploads, upload: Upload): Promise<unknown> => {
  try {
    await uploads.accept(caller, upload);
  } catch (error) {
    return upload.stream.errored ?? error;
  }
  throw new Error('The upload was taken.');
};

/** What both fillings of the gateway's ports for bytes do: the one in process and the one over HTTP. */
export const documentBytesContract = (name: string, make: () => Promise<Filled>): void => {
  describe(`${name} as the gateway's way to bytes`, () => {
    let filled: Filled;
    beforeAll(async () => {
      filled = await make();
    });
    const take = (text: string | Buffer, facts: Partial<Upload> = {}, from = caller) =>
      filled.uploads.accept(from, uploadOf(Readable.from([Buffer.from(text)]), facts));

    it('takes a file with what is said of it, and gives its text and its bytes back', async () => {
      const text = newText();
      const fields = { sourceType: 'mail', sourceId: '<1@example.org>', title: 'Blå ✿', metadata: { a: [1, 'é'] } };
      const { document, version, unchanged } = await take(text, { name: 'blå ✿.txt', fields });
      expect([version, unchanged]).toEqual([1, false]);
      await filled.settled();
      expect(await filled.bytes.text(caller, document)).toMatchObject({ text, version: 1 });
      const original = await filled.bytes.original(caller, document);
      const size = Buffer.byteLength(text);
      expect(original).toMatchObject({ size, name: 'blå ✿.txt', version: 1, contentType: 'text/plain' });
      expect((await buffer(original?.read() ?? Readable.from([]))).toString()).toBe(text);
      const part = await buffer(original?.read({ start: 5, end: 9 }) ?? Readable.from([]));
      expect(part.equals(Buffer.from(text).subarray(5, 10))).toBe(true);
      expect(await take(text, { name: 'blå ✿.txt', fields })).toEqual({ document, version: 1, unchanged: true });
    });

    it('takes a file of JSON as it is, and much metadata', async () => {
      const text = JSON.stringify({ text: newText() });
      const metadata = { long: 'x'.repeat(200_000) };
      const { document } = await take(text, { declaredType: 'application/json', fields: { metadata } });
      const original = await filled.bytes.original(caller, document);
      expect((await buffer(original?.read() ?? Readable.from([]))).toString()).toBe(text);
    });

    it('takes a file of exactly the limit', async () => {
      await expect(take(Buffer.alloc(filled.maxBytes, newText()))).resolves.toMatchObject({ version: 1 });
    });

    it('gives another tenant nothing, nor anyone what is not there', async () => {
      const { document } = await take(newText());
      await filled.settled();
      for (const [who, id] of [
        [stranger, document],
        [caller, '00000000-0000-7000-8000-000000000000'],
        [caller, '../a b?c#d'],
      ] as const) {
        expect(await filled.bytes.text(who, id)).toBeNull();
        expect(await filled.bytes.original(who, id)).toBeNull();
      }
    });

    it('refuses an empty file', async () => {
      await expect(take('')).rejects.toMatchObject({ code: 'EMPTY_FILE', message: expect.stringContaining('a.txt') });
    });

    it('refuses a file as soon as it passes the limit, stops reading it, and keeps nothing', async () => {
      const before = await filled.stored();
      let given = 0;
      const endless = Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc((given += 64_000) && 64_000);
        })(),
      );
      const failure = await failureOf(filled.uploads, uploadOf(endless));
      expect(failure).toMatchObject({ code: 'TOO_LARGE', status: 413 });
      expect(endless.destroyed).toBe(true);
      expect(given).toBeLessThan(filled.maxBytes + 20_000_000);
      await untilEqual(filled.stored, before);
    });

    it.each(['UPLOAD_BROKEN', 'TOO_LARGE'] as const)('keeps nothing of a file that ends with %s', async (code) => {
      const before = await filled.stored();
      const stream = new PassThrough();
      stream.write(Buffer.alloc(100_000, 'begun'));
      setTimeout(() => stream.destroy(new CodedError(code, 'Said by the gateway.')), 50);
      expect(await failureOf(filled.uploads, uploadOf(stream))).toMatchObject({ code });
      await untilEqual(filled.stored, before);
      const dead = new PassThrough();
      dead.destroy(new CodedError(code, 'Said at once.'));
      expect(await failureOf(filled.uploads, uploadOf(dead))).toMatchObject({ code });
      await untilEqual(filled.stored, before);
    });

    it('lets a reader leave before the end', async () => {
      const { document } = await take(Buffer.alloc(250_000, newText()));
      const original = await filled.bytes.original(caller, document);
      const reading = original?.read() ?? Readable.from([]);
      for await (const _ of reading) break;
      expect(reading.destroyed).toBe(true);
      expect(await filled.bytes.original(caller, document)).toMatchObject({ size: 250_000 });
    });
  });
};

/** What a service does after its caller has gone is seen a moment later: it has to stay so for another one. */
const untilEqual = async <T>(seen: () => Promise<T>, wanted: T): Promise<void> => {
  let last: T = await seen();
  for (let tries = 0, equal = 0; tries < 50 && equal < 3; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    last = await seen();
    equal = JSON.stringify(last) === JSON.stringify(wanted) ? equal + 1 : 0;
  }
  expect(last).toEqual(wanted);
};
