import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { type Database, releaseLapsed } from '@postmaster/durable';
import { until } from '@postmaster/testing';
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

const files = (contents: Record<string, string>): string =>
  Object.entries(contents)
    .map(([name, content]) => `\n\nfile ${name}: ${content}`)
    .join('');
const mail = (text: string, contents: Record<string, string>): string => textOf(text) + files(contents);

const found = async (parent: string) => {
  const page = await ingestion.service.useCases.reads.documents(
    ingestion.tenant,
    { first: 100 },
    { sourceType: 'attachment', sourceIdPrefix: `${parent}/` },
    'TITLE_A_TO_Z',
  );
  return page.items.map(({ node }) => node);
};
const blobsLeft = () => bench.db.asTenant(ingestion.tenant, (tx) => tx.selectFrom('blobs').select('hash').execute());

describe('a document with files in it', () => {
  it('has them made documents of their own, which know it and share its collection and metadata', async () => {
    ingestion.parser.facts = { metadata: { from: 'Anna <anna@example.org>' }, createdAt: '2026-02-03T10:00:00.000Z' };
    const { document } = await ingestion.accept(mail('Mail', { 'a.txt': 'One.', 'b/c.txt': 'Two.' }), {
      title: 'Minutes',
      collection: 'board',
      metadata: { case: 7 },
    });
    expect(await ingestion.settled()).toEqual([]);
    expect((await found(document)).map(({ title, sourceId, status }) => [title, sourceId, status])).toEqual([
      ['a.txt', `${document}/a.txt`, 'PARSED'],
      ['c.txt', `${document}/b/c.txt`, 'PARSED'],
    ]);
    expect((await found(document))[0]).toMatchObject({
      collection: 'board',
      metadata: {
        case: 7,
        parentId: document,
        parentTitle: 'Minutes',
        parentFrom: 'Anna <anna@example.org>',
        parentDate: '2026-02-03T10:00:00.000Z',
      },
    });
    expect((await ingestion.document(document))?.metadata).toMatchObject({
      attachments: 2,
      attachmentNames: 'a.txt; b/c.txt',
    });
  });

  it('is not failed by one of them, which says so itself', async () => {
    ingestion.parser.during = (name) => {
      if (name === 'bad.txt') throw new CodedError('DOCUMENT_BROKEN', 'It is cut off.');
    };
    const { document } = await ingestion.accept(
      mail('Mail', { 'bad.txt': 'Bad.', 'empty.txt': '', 'good.txt': 'Good.' }),
    );
    await ingestion.settled();
    expect((await found(document)).map(({ name, status, failure }) => [name, status, failure?.code])).toEqual([
      ['bad.txt', 'FAILED', 'DOCUMENT_BROKEN'],
      ['good.txt', 'PARSED', undefined],
    ]);
    expect(await ingestion.document(document)).toMatchObject({
      status: 'PARSED',
      metadata: { attachments: 3, attachmentsLeftOut: 'empty.txt (EMPTY_FILE)' },
    });
  });

  it('takes those of its older version with it when it no longer holds them', async () => {
    const { document } = await ingestion.accept(mail('Mail', { 'a.txt': 'A.', 'b.txt': 'B.', 'c.txt': 'C.' }), {
      sourceId: 'm',
    });
    await ingestion.settled();
    const before = await found(document);
    await ingestion.accept(mail('Mail again', { 'a.txt': 'A.', 'b.txt': 'B, changed.', 'd.txt': 'D.' }), {
      sourceId: 'm',
    });
    await ingestion.settled();
    const after = await found(document);
    expect(after.map(({ name, version }) => [name, version])).toEqual([
      ['a.txt', 1],
      ['b.txt', 2],
      ['d.txt', 1],
    ]);
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id));
  });

  it('takes them with it when it is deleted, and leaves no bytes', async () => {
    const { document } = await ingestion.accept(mail('Mail', { 'm.eml': 'Inner.', 'a.txt': 'A.' }));
    await ingestion.settled();
    await ingestion.service.useCases.remove(ingestion.tenant, document);
    expect(await ingestion.settled()).toEqual([]);
    expect(await found(document)).toEqual([]);
    expect(await ingestion.told('document.deleted')).toHaveLength(3);
    expect(await blobsLeft()).toEqual([]);
  });

  it('keeps nothing of a reading that came too late', async () => {
    ingestion.parser.during = async (name) => {
      if (name === 'a.txt') await ingestion.service.useCases.remove(ingestion.tenant, document);
    };
    await ingestion.service.stop();
    const { document } = await ingestion.accept(mail('Mail', { 'late.txt': 'Late.' }));
    ingestion.service.start();
    await until(() => ingestion.parser.read.length > 0);
    await ingestion.service.stop(); // when what it does is done
    ingestion.service.start();
    await ingestion.settled();
    expect(await found(document)).toEqual([]);
    expect(await blobsLeft()).toEqual([]);
  });

  it('has them made again for the same bytes under another name, each with its own parent', async () => {
    const one = await ingestion.accept(mail('Mail', { 'a.txt': 'A.' }), { sourceId: 'one' });
    await ingestion.settled();
    const two = await ingestion.accept(mail('Mail', { 'a.txt': 'A.' }), { sourceId: 'two' });
    await ingestion.settled();
    const [[a], [b]] = [await found(one.document), await found(two.document)];
    expect([a?.status, b?.status, a?.id === b?.id, a?.blobHash === b?.blobHash]).toEqual([
      'PARSED',
      'PARSED',
      false,
      true,
    ]);
    await ingestion.service.useCases.remove(ingestion.tenant, one.document);
    await ingestion.settled();
    expect((await found(two.document))[0]?.status).toBe('PARSED');
    expect(await ingestion.hasBytes(b?.blobHash ?? '')).toBe(true);
  });

  it('is opened three deep and no deeper', async () => {
    await ingestion.accept('Mail.\n\nfile a.eml: file b.eml: file c.eml: file d.eml: Deep.');
    await ingestion.settled();
    const all = await ingestion.service.useCases.reads.documents(
      ingestion.tenant,
      { first: 100 },
      { sourceType: 'attachment' },
      'TITLE_A_TO_Z',
    );
    expect(all.items.map(({ node }) => node.name)).toEqual(['a.eml', 'b.eml', 'c.eml']);
  });
});

describe('a process that dies', () => {
  it('between storing what was found and making its documents loses none and makes none twice', async () => {
    const { document } = await ingestion.accept(
      mail('Mail', Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, `Text ${i}.`]))),
    );
    const rows = bench.db as Database<unknown>;
    for (let kill = 0; kill < 4; kill++) {
      await ingestion.service.stop(0);
      await rows.asSystem((tx) =>
        sql`update jobs set state = 'leased', leased_until = now() + interval '1 hour' where tenant = ${ingestion.tenant}`.execute(
          tx,
        ),
      );
      await ingestion.service.recover();
      expect(await releaseLapsed(rows, 'ingestion.attach')).toBe(0);
      ingestion.service.start();
    }
    await ingestion.settled();
    expect(await found(document)).toHaveLength(60);
    expect(await ingestion.told('public.document.accepted')).toHaveLength(61);
  });
});
