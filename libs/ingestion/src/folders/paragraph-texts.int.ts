import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askParagraphTexts, newId, TenantId } from '@postmaster/contracts';
import { sql } from 'kysely';
import { type Ingestion, ingestionBench, textOf } from '../../test/ingestion-bench.js';
import { readSources } from './source-texts.js';

const bench = await ingestionBench();
const SECRET = 'Mathilde counted every ship';
let ingestion: Ingestion;
let place: string;
let folder: string;
let document: string;
let ids: string[];

const write = (name: string, content: string, at = Date.now() - 60_000): void => {
  writeFileSync(join(place, name), content);
  utimesSync(join(place, name), new Date(at), new Date(at));
};
const reads = () => ingestion.service.useCases.reads;
const asked = (tenant = ingestion.tenant, some: readonly string[] = ids) =>
  askParagraphTexts(ingestion.requests, tenant, some, 1_000);
const scans = async () => (await ingestion.jobs()).filter(({ kind }) => kind === 'ingestion.scan-folder').length;

beforeEach(async () => {
  ingestion = bench.fresh();
  place = join(bench.root, newId());
  mkdirSync(place);
  write('a.md', textOf(SECRET, 'Second 🍏', 'Third'));
  ingestion.service.start();
  const { folders } = ingestion.service.useCases;
  ({ id: folder } = await folders.add(ingestion.tenant, { path: place, mode: 'reference' }));
  await ingestion.settled();
  const { items } = await reads().documents(ingestion.tenant, { first: 1 }, {}, 'ADDED_NEWEST');
  document = items[0]?.node.id ?? '';
  ids = await ingestion.paragraphs(document, 1);
});
afterEach(async () => {
  await ingestion.service.stop();
  expect(bench.errors.splice(0)).toEqual([]);
});
afterAll(() => bench.close());

describe('a document in reference mode', () => {
  it('has its text read from its file, wherever it is asked for', async () => {
    const { texts, failures } = await asked();
    expect([...texts.keys()].sort()).toEqual([...ids].sort());
    expect(texts.get(ids[0] ?? '')).toMatchObject({ text: expect.stringContaining(SECRET), before: '' });
    expect(texts.get(ids[1] ?? '')?.before).toContain('Mathilde');
    expect(texts.get(ids[1] ?? '')?.text).toContain('🍏');
    expect(failures.size).toBe(0);
    const [first] = await reads().paragraphsById(ingestion.tenant, ids);
    expect(first?.text).toContain(SECRET);
    expect((await reads().plainText(ingestion.tenant, document))?.text).toContain(SECRET);
    const original = await reads().original(ingestion.tenant, document);
    if (!original) throw new Error('There is none.');
    expect(await text(await ingestion.service.useCases.openOriginal(ingestion.tenant, original))).toContain(SECRET);
  });

  it('has none of it in rows and events', async () => {
    const { rows: tables } = await bench.db.asTenant(ingestion.tenant, (tx) =>
      sql<{
        name: string;
      }>`select table_name as name from information_schema.columns
        where table_schema = 'ingestion' and column_name = 'tenant'`.execute(tx),
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      const { rows } = await bench.db.asTenant(ingestion.tenant, (tx) =>
        sql<{ found: number }>`select count(*)::int as found from ${sql.table(name)} t
          where tenant = ${ingestion.tenant} and t::text like '%Mathilde%'`.execute(tx),
      );
      expect([name, rows[0]?.found]).toEqual([name, 0]);
    }
    const [event] = await ingestion.told('paragraphs.parsed');
    expect(event).toMatchObject({ facts: { reference: true, title: 'a.md' }, before: '', after: '' });
    expect(event?.paragraphs.map(({ text, trail }) => [text, trail])).toEqual([
      ['', []],
      ['', []],
      ['', []],
    ]);
    expect(await ingestion.hasBytes((await ingestion.document(document))?.blobHash ?? '')).toBe(false);
  });

  it('is read from its file once, while that stays as it is', async () => {
    expect(ingestion.parser.read.length).toBe(2); // when it was taken in, and when its paragraphs were read first
    await Promise.all([asked(), asked(), reads().plainText(ingestion.tenant, document)]);
    await asked();
    expect(ingestion.parser.read.length).toBe(2);
  });

  it.each([
    ['its file has changed', () => write('a.md', textOf(SECRET, 'Other')), 'SOURCE_CHANGED', 1],
    ['its file is gone', () => renameSync(join(place, 'a.md'), join(place, 'a.away')), 'SOURCE_GONE', 1],
    ['its folder is not on this machine', () => renameSync(place, `${place}-away`), 'FOLDER_UNREADABLE', 0],
    ['its disk is not mounted', () => rmSync(join(place, 'a.md')), 'FOLDER_UNREADABLE', 0],
  ])('says so where %s, and has the folder of a file looked at', async (_, change, code, looks) => {
    await asked();
    await ingestion.service.stop(); // nobody looks meanwhile
    change();
    const { texts, failures } = await asked();
    expect([texts.size, ids.map((id) => failures.get(id)?.code)]).toEqual([0, [code, code, code]]);
    await expect(reads().plainText(ingestion.tenant, document)).rejects.toMatchObject({ code });
    expect((await reads().paragraphsById(ingestion.tenant, ids)).map((one) => one?.text)).toEqual([null, null, null]);
    expect(await scans()).toBe(looks);
  });

  it('is the same after its file was touched', async () => {
    write('a.md', textOf(SECRET, 'Second 🍏', 'Third'), Date.now() - 30_000);
    expect((await asked()).texts.size).toBe(3);
  });

  it('is not read for another tenant, nor once its folder is taken out', async () => {
    const other = TenantId.parse(`t-${newId().slice(-12)}`);
    expect((await asked(other)).texts.size).toBe(0);
    await ingestion.service.stop();
    await ingestion.service.useCases.folders.remove(ingestion.tenant, folder, false);
    expect((await asked()).failures.get(ids[0] ?? '')?.code).toBe('SOURCE_GONE');
  });

  it('comes to have its bytes stored where its folder is added anew so, under the same identity', async () => {
    await ingestion.makeReady(document, 1);
    await ingestion.service.useCases.folders.add(ingestion.tenant, { path: place });
    await ingestion.settled();
    const stored = await ingestion.document(document);
    expect(stored).toMatchObject({ version: 2, reference: null });
    expect(await ingestion.hasBytes(stored?.blobHash ?? '')).toBe(true);
    await ingestion.makeReady(document, 2);
    await ingestion.service.useCases.folders.add(ingestion.tenant, { path: place, mode: 'reference' });
    await ingestion.settled();
    await ingestion.makeReady(document, 3);
    await ingestion.settled();
    expect(await ingestion.hasBytes(stored?.blobHash ?? '')).toBe(false);
  });
});

it('keeps no more text than it may, the last used longest', async () => {
  const read: string[] = [];
  const state = { size: 1, mtimeMs: 1 };
  const source = readSources({
    files: {
      look: async () => state,
      local: async (_: unknown, __: unknown, path: string, ___: unknown, use: (path: string) => Promise<unknown>) =>
        use(path),
    } as never, // no other call is made
    parser: {
      parse: async ({ path }: { path: string }) => {
        read.push(path);
        return { text: 'x'.repeat(400), blocks: [] };
      },
    } as never, // as above
    limits: { timeoutMs: 1, memoryMb: 1 },
    cacheBytes: 2_000,
  });
  const tenant = TenantId.parse('t');
  const get = (path: string) =>
    source(tenant, { file: { folder: 'f', root: '/', path, hash: 'h', ...state }, name: path, hash: 'h' });
  for (const path of ['a', 'b', 'a', 'c', 'a', 'b']) await get(path);
  expect(read).toEqual(['a', 'b', 'c', 'b']);
});
