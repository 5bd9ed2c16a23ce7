import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done } from '@postmaster/contracts';
import { claim, type Database, type Job, settle } from '@postmaster/durable';
import { type Ingestion, ingestionBench, textOf } from '../test/ingestion-bench.js';
import { acceptDocument } from './accept-document.js';
import type { BlobStore } from './blob-store.js';
import { BULK, beginBulkJob, readBulkJob, runBulkJob } from './bulk-job.js';
import { deleteDocument, eraseBlob } from './delete-document.js';
import { ERASE_BLOB } from './rows/documents.js';

const bench = await ingestionBench();
const rows = bench.db as Database<unknown>;
let ingestion: Ingestion;
beforeEach(() => {
  ingestion = bench.fresh();
  ingestion.service.start();
});
afterEach(async () => {
  await ingestion.service.stop();
  expect(bench.errors.splice(0)).toEqual([]);
});
afterAll(() => bench.close());

const begin = { db: bench.db, now: () => ingestion.clock.now, newId: () => crypto.randomUUID() };
const remove = (document: string) => ingestion.service.useCases.remove(ingestion.tenant, document);
const ready = async (text: string, sourceId: string): Promise<string> => {
  const { document, version } = await ingestion.accept(text, { sourceId });
  await ingestion.settled();
  await ingestion.makeReady(document, version);
  return document;
};
const forgotten = async (document: string, version: number): Promise<void> => {
  for (const service of ['embedding', 'enrichment', 'retrieval'])
    await ingestion.give('document.forgotten', { document, version, service });
};
const hashOf = async (document: string): Promise<string> => (await ingestion.document(document))?.blobHash ?? '';

describe('a deleted document', () => {
  it('is gone at once, leaves a tombstone, and is erased when all have forgotten it', async () => {
    const document = await ready(textOf('One'), 'a');
    const hash = await hashOf(document);
    expect(await remove(document)).toBe(true);
    expect(await ingestion.document(document)).toBeNull();
    expect(await remove(document)).toBe(false);
    expect(await ingestion.told('document.deleted')).toEqual([{ document, version: 1 }]);
    await ingestion.settled();
    expect(await ingestion.hasBytes(hash)).toBe(false);
    expect(await ingestion.told('public.document.erased')).toEqual([]);
    await ingestion.give('document.forgotten', { document, version: 1, service: 'embedding' });
    await ingestion.give('document.forgotten', { document, version: 1, service: 'embedding' });
    expect(await ingestion.told('public.document.erased')).toEqual([]);
    await ingestion.give('document.forgotten', { document, version: 1, service: 'enrichment' });
    expect(await ingestion.told('public.document.erased')).toEqual([]);
    await ingestion.give('document.forgotten', { document, version: 1, service: 'retrieval' });
    expect(await ingestion.told('public.document.erased')).toMatchObject([{ document, status: 'DELETED' }]);
    const left = await bench.db.asTenant(ingestion.tenant, async (tx) => ({
      paragraphs: await tx.selectFrom('paragraphs').selectAll().execute(),
      parses: await tx.selectFrom('parses').selectAll().execute(),
      blobs: await tx.selectFrom('blobs').selectAll().execute(),
      documents: await tx.selectFrom('documents').select(['id', 'title', 'metadata', 'status']).execute(),
    }));
    expect(left).toEqual({
      ...{ paragraphs: [], parses: [], blobs: [] },
      documents: [{ id: document, title: '', metadata: {}, status: 'DELETED' }],
    });
  });

  it('stays deleted, whatever comes late', async () => {
    const document = await ready(textOf('One'), 'a');
    const ids = await ingestion.paragraphs(document, 1);
    await remove(document);
    await ingestion.index(document, 1, 'text', ids);
    await ingestion.index(document, 1, 'facets', ids);
    expect(await ingestion.document(document)).toBeNull();
    expect(await ingestion.told('public.document.improved')).toEqual([]);
  });

  it('while it is read stays deleted, and nothing of it is kept', async () => {
    let document = '';
    ingestion.parser.during = async () => void (await remove(document));
    ({ document } = await ingestion.accept(textOf('One')));
    await ingestion.settled();
    expect(await ingestion.told('paragraphs.parsed')).toEqual([]);
    expect(await bench.db.asTenant(ingestion.tenant, (tx) => tx.selectFrom('parses').select('text').execute())).toEqual(
      [],
    );
  });

  it('that comes again is the same document in a new version; what the old one is said to have forgotten changes nothing', async () => {
    const document = await ready(textOf('One'), 'a');
    await remove(document);
    await ingestion.settled(); // the same bytes sent while the old ones go are refused
    const again = await ingestion.accept(textOf('One'), { sourceId: 'a' });
    expect(again).toEqual({ document, version: 2, unchanged: false });
    await ingestion.settled();
    await forgotten(document, 1);
    expect(await ingestion.told('public.document.erased')).toEqual([]);
    await ingestion.makeReady(document, 2);
    expect(await ingestion.document(document)).toMatchObject({ status: 'READY', activeVersion: 2 });
    expect(await ingestion.hasBytes(await hashOf(document))).toBe(true);
  });
});

describe('bytes', () => {
  it('go when the last document that has them goes', async () => {
    const one = await ready(textOf('Same'), 'a');
    const two = await ready(textOf('Same'), 'b');
    const hash = await hashOf(one);
    await remove(one);
    await ingestion.settled();
    expect(await ingestion.hasBytes(hash)).toBe(true);
    await forgotten(one, 1);
    expect(await ingestion.told('public.document.erased')).toHaveLength(1);
    await remove(two);
    await ingestion.settled();
    expect(await ingestion.hasBytes(hash)).toBe(false);
  });

  it('of every version are gone before a document is called erased', async () => {
    const document = await ready(textOf('Old'), 'a');
    const hashes = [await hashOf(document)];
    await ingestion.accept(textOf('New'), { sourceId: 'a' });
    await ingestion.settled();
    hashes.push(await hashOf(document));
    await ingestion.service.stop();
    await ingestion.makeReady(document, 2); // the old bytes are to go, and nobody is there to do it
    await remove(document);
    await forgotten(document, 2);
    const [job] = await claim(rows, { kind: ERASE_BLOB, limit: 1, leaseMs: 60_000, ageingMs: 1, served: [] });
    const { store } = await eraseBlob({ db: bench.db, blobs: bench.blobs })(ingestion.tenant, [job as Job]);
    await bench.db.asTenant(ingestion.tenant, async (tx) => {
      await settle(tx, job as Job, done());
      await store?.(tx, []);
    });
    expect((await Promise.all(hashes.map((hash) => ingestion.hasBytes(hash)))).sort()).toEqual([false, true]);
    expect(await ingestion.told('public.document.erased')).toEqual([]);
    ingestion = Object.assign(ingestion, { service: bench.fresh(ingestion.tenant).service });
    ingestion.service.start();
    await ingestion.settled();
    expect(await Promise.all(hashes.map((hash) => ingestion.hasBytes(hash)))).toEqual([false, false]);
    expect(await ingestion.told('public.document.erased')).toHaveLength(1);
  });
});

describe('bytes that come again while the deleted ones go', () => {
  /** Accepts the same text once more, the old bytes being erased at the moment when `at` is called. */
  const acceptWhileErasing = async (at: 'put' | 'has'): Promise<unknown> => {
    const old = await ready(textOf('Same'), 'old');
    await ingestion.service.stop();
    await remove(old);
    const erase = async (): Promise<void> => {
      const jobs = await claim(rows, { kind: ERASE_BLOB, limit: 1, leaseMs: 60_000, ageingMs: 1, served: [] });
      const { store } = await eraseBlob({ db: bench.db, blobs: bench.blobs })(ingestion.tenant, jobs);
      await bench.db.asTenant(ingestion.tenant, async (tx) => store?.(tx, []));
    };
    const blobs: BlobStore = { ...bench.blobs };
    if (at === 'put') blobs.put = (...given) => bench.blobs.put(...given).finally(erase);
    else blobs.has = (...given) => bench.blobs.has(...given).finally(erase);
    return acceptDocument({ ...begin, blobs, maxBytes: 1_000 })(
      ingestion.tenant,
      { name: 'new.txt', lane: 'interactive', sourceId: 'new' },
      Readable.from([Buffer.from(textOf('Same'))]),
    );
  };

  it.each(['put', 'has'] as const)('are refused, and not lost in silence (%s)', async (at) => {
    await expect(acceptWhileErasing(at)).rejects.toMatchObject({ code: 'CONFLICT', retryAfter: 1 });
  });
});

describe('a bulk job', () => {
  it('that is cut in the middle goes on where it was, and ends with every document done', async () => {
    await ingestion.service.stop();
    for (let i = 0; i < 130; i++) await ingestion.accept(textOf('Same'), { sourceId: `s${i}`, collection: 'all' });
    const acts = deleteDocument({ db: bench.db, now: begin.now });
    const ports = { ...begin, acts: { DELETE: acts, RETRY: acts, ENRICH: acts } };
    const { id, total } = await beginBulkJob(ports)(ingestion.tenant, 'DELETE', { collection: 'all' });
    expect(total).toBe(130);
    const [job] = await claim(rows, { kind: BULK, limit: 1, leaseMs: 60_000, ageingMs: 1, served: [] });
    await runBulkJob(ports)(ingestion.tenant, [job as Job]); // and the process dies before this is settled
    const reads = bench.fresh(ingestion.tenant);
    await reads.service.recover();
    reads.service.start();
    await ingestion.settled();
    await reads.service.stop();
    expect(await readBulkJob(begin)(ingestion.tenant, id)).toMatchObject({ status: 'DONE', done: 130, failed: 0 });
    const again = await beginBulkJob(ports)(ingestion.tenant, 'DELETE', { collection: 'all' });
    expect(again).toMatchObject({ status: 'DONE', total: 0 });
    const page = await reads.service.useCases.reads.documents(ingestion.tenant, { first: 1 }, {}, 'ADDED_NEWEST');
    expect(page.total).toBe(0);
    expect(await ingestion.told('document.deleted')).toHaveLength(130);
  });

  it('takes as many steps as it needs', async () => {
    for (let i = 0; i < 101; i++) await ingestion.accept(textOf('Same'), { sourceId: `s${i}`, collection: 'all' });
    const { id } = await ingestion.service.useCases.beginBulkJob(ingestion.tenant, 'RETRY', { collection: 'all' });
    await ingestion.settled();
    expect(await readBulkJob(begin)(ingestion.tenant, id)).toMatchObject({ status: 'DONE', done: 101, failed: 0 });
  });

  it('says which documents it failed on, and does the others', async () => {
    const [a, b] = [await ready(textOf('One'), 'a'), await ready(textOf('Two'), 'b')];
    await ingestion.service.stop();
    const removed: string[] = [];
    const act = async (_: unknown, document: string) => {
      if (document === a) throw new Error('a fault');
      removed.push(document);
      return true;
    };
    const ports = { ...begin, acts: { DELETE: act, RETRY: act, ENRICH: act } };
    const { id } = await beginBulkJob(ports)(ingestion.tenant, 'RETRY', { status: ['READY'] });
    const [job] = await claim(rows, { kind: BULK, limit: 1, leaseMs: 60_000, ageingMs: 1, served: [] });
    const { store } = await runBulkJob(ports)(ingestion.tenant, [job as Job]);
    await bench.db.asTenant(ingestion.tenant, async (tx) => store?.(tx, []));
    expect(removed).toEqual([b]);
    expect(await readBulkJob(begin)(ingestion.tenant, id)).toMatchObject({
      ...{ status: 'DONE', total: 2, done: 1, failed: 1 },
      failures: [{ document: a, failure: { code: 'INTERNAL' } }],
    });
  });

  it('refuses an empty filter, which would mean all', () => {
    const act = async () => true;
    const ports = { ...begin, acts: { DELETE: act, RETRY: act, ENRICH: act } };
    expect(() => beginBulkJob(ports)(ingestion.tenant, 'DELETE', {})).toThrow(
      expect.objectContaining({ code: 'FILTER_INVALID', field: 'filter' }),
    );
  });
});

describe('ports that do I/O', () => {
  it('refuse to be called within a transaction', async () => {
    const { openOriginal } = ingestion.service.useCases;
    const original = { hash: 'a'.repeat(64), size: 1, contentType: 'text/plain', name: 'a.txt', version: 1 };
    await expect(bench.db.asTenant(ingestion.tenant, () => openOriginal(ingestion.tenant, original))).rejects.toThrow(
      'blobs.open was called inside a transaction',
    );
  });
});
