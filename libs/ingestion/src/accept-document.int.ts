import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, tenantProfile } from '@postmaster/contracts';
import { type Database, releaseLapsed } from '@postmaster/durable';
import { hurry, until } from '@postmaster/testing';
import { sql } from 'kysely';
import { type Ingestion, ingestionBench, textOf } from '../test/ingestion-bench.js';

const bench = await ingestionBench();
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

describe('accepting', () => {
  it('reads new bytes and gives their paragraphs out', async () => {
    const { document, version, unchanged } = await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a' });
    expect([version, unchanged]).toEqual([1, false]);
    await ingestion.settled();
    const [batch] = await ingestion.told('paragraphs.parsed');
    expect(batch).toMatchObject({ document, version: 1, active: true, lane: 'interactive', before: '', after: '' });
    expect(batch?.paragraphs.map(({ text }) => text.slice(0, 3))).toEqual(['One', 'Two']);
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED' });
  });

  it.each([
    ['bill\u202efdp.exe', 'billfdp.exe'],
    ['a\u0000b\r\nc\u001b[31m.txt', 'a b c [31m.txt'],
    ['\u200b\u0007', 'unnamed'],
  ])('names a document by what can be seen of its name: %j', async (name, expected) => {
    const { document } = await ingestion.accept(textOf('One'), { name, title: name });
    expect(await ingestion.document(document)).toMatchObject({ name: expected });
  });

  it.each([
    ...['sourceType', 'sourceId', 'sourceUri', 'collection'].map((field) => [field, 'a\0b'] as const),
    ['metadata', { note: ['a\0b'] }],
    ['metadata', { 'a\0b': 1 }],
  ] as const)('refuses a %s that can not be kept', async (field, value) => {
    await expect(ingestion.accept(textOf('One'), { [field]: value })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      field,
    });
  });

  it('does no work for the same bytes under the same identity', async () => {
    const first = await ingestion.accept(textOf('One'), { sourceId: 'a' });
    await ingestion.settled();
    const again = await ingestion.accept(textOf('One'), { sourceId: 'a' });
    expect(again).toEqual({ ...first, unchanged: true });
    expect(await ingestion.jobs()).toEqual([]);
    expect(await ingestion.told('paragraphs.parsed')).toHaveLength(1);
  });

  it('makes changed bytes a new version, whose unchanged paragraphs keep their ids and are marked', async () => {
    const { document } = await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a' });
    await ingestion.settled();
    const before = await ingestion.paragraphs(document, 1);
    await ingestion.makeReady(document, 1);
    const second = await ingestion.accept(textOf('One', 'Three'), { sourceId: 'a' });
    expect(second).toEqual({ document, version: 2, unchanged: false });
    await ingestion.settled();
    const batch = (await ingestion.told('paragraphs.parsed')).at(-1);
    expect(batch).toMatchObject({ version: 2, active: false });
    expect(batch?.paragraphs.map(({ id, unchanged }) => [id === before[0], unchanged])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('says by paragraph what a version changed of the one before, once it answers', async () => {
    const answers = async (text: string) => {
      const { document, version } = await ingestion.accept(text, { sourceId: 'a' });
      await ingestion.settled();
      await ingestion.index(document, version, 'text');
      return ingestion.document(document);
    };
    expect((await answers(textOf('One', 'Two', 'Three')))?.changes).toBeNull();
    const second = await answers(textOf('One', 'Second', 'Three', 'Four'));
    const [begins, kept] = [(of: string) => ({ text: expect.stringMatching(`^${of}`) }), { from: 1, to: 2 }];
    expect(second?.changes).toMatchObject({
      ...{ ...kept, unchanged: 2, addedCount: 2, removedCount: 1 },
      ...{ added: [begins('Second'), begins('Four')], removed: [begins('Two')] },
    });
  });

  it('shares parse and bytes between two names for the same bytes', async () => {
    const one = await ingestion.accept(textOf('Same'), { sourceId: 'a', name: 'a.txt' });
    await ingestion.settled();
    const two = await ingestion.accept(textOf('Same'), { sourceId: 'b', name: 'b.txt' });
    await ingestion.settled();
    expect(two.document).not.toBe(one.document);
    expect(ingestion.parser.read).toEqual(['a.txt']);
    const [a, b] = await Promise.all([ingestion.document(one.document), ingestion.document(two.document)]);
    expect(a?.blobHash).toBe(b?.blobHash);
    expect([a?.title, b?.title]).toEqual(['a.txt', 'b.txt']);
  });

  it('gives a shared parse the same pages', async () => {
    const pages = textOf('One', 'Two');
    ingestion.parser.facts = { pageStarts: [0, pages.indexOf('Two')] };
    for (const sourceId of ['a', 'b']) {
      await ingestion.accept(pages, { sourceId });
      await ingestion.settled();
    }
    const batches = await ingestion.told('paragraphs.parsed');
    expect(batches.map(({ paragraphs }) => paragraphs.map(({ page }) => page))).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('gives out the newest version alone when two come at once, and lets the bytes of the other go', async () => {
    let other: Awaited<ReturnType<Ingestion['accept']>> | undefined;
    const hashes: (string | null | undefined)[] = [];
    ingestion.parser.during = async () => {
      if (other) return;
      hashes.push((await ingestion.document(document))?.blobHash);
      other = await ingestion.accept(textOf('New'), { sourceId: 'a' });
      await until(async () => !(await ingestion.hasBytes(hashes[0] ?? '')));
    };
    const { document } = await ingestion.accept(textOf('Old'), { sourceId: 'a' });
    await ingestion.settled();
    expect(other).toMatchObject({ document, version: 2 });
    expect((await ingestion.told('paragraphs.parsed')).map(({ version }) => version)).toEqual([2]);
    expect(await ingestion.hasBytes(hashes[0] ?? '')).toBe(false);
    const parses = await bench.db.asTenant(ingestion.tenant, (tx) => tx.selectFrom('parses').select('text').execute());
    expect(parses.map(({ text }) => text.slice(0, 3))).toEqual(['New']);
  });

  it('gives paragraphs in batches of 32, with the text on either side', async () => {
    await ingestion.accept(textOf(...Array.from({ length: 40 }, (_, i) => `Paragraph ${i}`)));
    await ingestion.settled();
    const batches = await ingestion.told('paragraphs.parsed');
    expect(batches.map(({ paragraphs }) => paragraphs.length)).toEqual([32, 8]);
    expect(batches[0]?.after.startsWith('Paragraph 32')).toBe(true);
    expect(batches[1]?.before.startsWith('Paragraph 31')).toBe(true);
  });
});

describe('a document that can not be read', () => {
  it('says so itself, with the reason, at once, and is read when its bytes come again', async () => {
    ingestion.parser.failure = new CodedError('DOCUMENT_BROKEN', 'It is cut off.');
    const { document } = await ingestion.accept(textOf('One'), { sourceId: 'a' });
    expect(await ingestion.settled()).toEqual([]);
    expect(await ingestion.document(document)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'DOCUMENT_BROKEN' },
    });
    expect(ingestion.parser.read).toHaveLength(1);
    ingestion.parser.failure = undefined;
    expect(await ingestion.accept(textOf('One'), { sourceId: 'a' })).toEqual({
      document,
      version: 1,
      unchanged: false,
    });
    await ingestion.settled();
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED', failure: null });
  });

  it('fails as NO_TEXT where there is none', async () => {
    const { document } = await ingestion.accept('\n\n');
    await ingestion.settled();
    expect(await ingestion.document(document)).toMatchObject({ status: 'FAILED', failure: { code: 'NO_TEXT' } });
    expect(await ingestion.told('public.document.failed')).toMatchObject([{ document, failure: { code: 'NO_TEXT' } }]);
  });

  it('for a fault of the system is tried again, and says so when it is given up', async () => {
    ingestion.parser.failure = new Error('The disk has a fault.');
    const { document } = await ingestion.accept(textOf('One'));
    expect(await ingestion.settled()).toMatchObject([{ name: 'ingestion.parse', failure: { code: 'INTERNAL' } }]);
    expect(ingestion.parser.read).toHaveLength(5);
    expect(await ingestion.document(document)).toMatchObject({ status: 'FAILED', failure: { code: 'INTERNAL' } });
    expect(bench.errors.splice(0)).toHaveLength(5);
  });

  it('waits, at no cost, while the tenants service does not answer', async () => {
    let asked = 0;
    let out = true;
    ingestion.requests.answer(tenantProfile, async () => {
      asked++;
      if (out) throw new CodedError('SERVICE_UNAVAILABLE', 'The tenants service is not there.');
      return ingestion.wishes;
    });
    const { document } = await ingestion.accept(textOf('One'));
    await until(async () => {
      await hurry(bench.rows);
      return asked > 5;
    });
    out = false;
    expect(await ingestion.settled()).toEqual([]);
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED' });
  });
});

describe('a process that dies', () => {
  it('while a document is read leaves it to be read by the next', async () => {
    await ingestion.service.stop();
    const { document } = await ingestion.accept(textOf('One'));
    const rows = bench.db as Database<unknown>;
    await rows.asSystem((tx) =>
      sql`update jobs set state = 'leased', leased_until = now() + interval '1 hour' where tenant = ${ingestion.tenant}`.execute(
        tx,
      ),
    );
    expect(await releaseLapsed(rows, 'ingestion.parse')).toBe(0);
    await ingestion.service.recover();
    ingestion.service.start();
    await ingestion.settled();
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED' });
  });
});
