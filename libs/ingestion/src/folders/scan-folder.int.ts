import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, TenantId } from '@postmaster/contracts';
import { until } from '@postmaster/testing';
import { type Ingestion, ingestionBench, textOf } from '../../test/ingestion-bench.js';

const bench = await ingestionBench();
let ingestion: Ingestion;
let place: string;
beforeEach(() => {
  ingestion = bench.fresh();
  place = join(bench.root, newId());
  mkdirSync(place);
  ingestion.service.start();
});
afterEach(async () => {
  await ingestion.service.stop();
  expect(bench.errors.splice(0)).toEqual([]);
});
afterAll(() => bench.close());

/** Written long ago, unless told, so that nobody waits for it to be finished. */
const write = (name: string, text: string, at = new Date(Date.now() - 60_000)): void => {
  const path = join(place, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, at, at);
};
const folders = () => ingestion.service.useCases.folders;
const add = async (given: object = {}): Promise<string> => {
  const { id } = await folders().add(ingestion.tenant, { path: place, ...given });
  await ingestion.settled();
  return id;
};
const scan = async (id: string): Promise<void> => {
  await folders().scan(ingestion.tenant, id);
  await ingestion.settled();
};
const folder = async () => (await folders().list(ingestion.tenant))[0];
const documents = async () => {
  const { items } = await ingestion.service.useCases.reads.documents(
    ingestion.tenant,
    { first: 100 },
    {},
    'TITLE_A_TO_Z',
  );
  return items.map(({ node }) => node);
};

describe.each(['content', 'reference'] as const)('a folder in %s mode', (mode) => {
  it('has its files made documents, each a new version when it changes and none when it does not', async () => {
    write('a.md', textOf('First'));
    write('sub/b.md', textOf('Second'));
    write('c.bin', 'no document');
    write('empty.md', '');
    const id = await add({ mode, collection: 'notes' });
    expect(
      (await documents()).map(({ name, version, status, collection }) => [name, version, status, collection]),
    ).toEqual([
      ['a.md', 1, 'PARSED', 'notes'],
      ['b.md', 1, 'PARSED', 'notes'],
    ]);
    expect(await folder()).toMatchObject({ failure: null, files: { taken: 2, refused: 1, gone: 0 } });
    const read = ingestion.parser.read.length;
    await scan(id);
    write('a.md', textOf('First', 'and more'));
    write('sub/b.md', textOf('Second'), new Date()); // touched, but the same
    await scan(id);
    expect((await documents()).map(({ name, version }) => [name, version])).toEqual([
      ['a.md', 2],
      ['b.md', 1],
    ]);
    expect(ingestion.parser.read.length).toBe(read + 1);
    expect((await documents())[0]?.sourceId).toBe(`${place}/a.md`);
    expect(await ingestion.told('public.document.gone')).toEqual([]);
  });

  it('says of a document that its file is gone, and takes that back when it returns', async () => {
    write('a.md', textOf('First'));
    write('other.bin', 'no document');
    const id = await add({ mode });
    renameSync(join(place, 'a.md'), join(bench.root, 'aside.md'));
    await scan(id);
    await scan(id); // is said once
    const [gone] = await documents();
    expect(gone?.goneAt).toEqual(ingestion.clock.now);
    const { reads } = ingestion.service.useCases;
    expect(await reads.degraded(ingestion.tenant, gone?.id ?? '', 1)).toMatchObject([{ code: 'SOURCE_GONE' }]);
    expect(await ingestion.told('public.document.gone')).toMatchObject([
      { document: gone?.id, failure: { code: 'SOURCE_GONE' } },
    ]);
    renameSync(join(bench.root, 'aside.md'), join(place, 'a.md'));
    await scan(id);
    expect(await documents()).toMatchObject([{ goneAt: null, version: 1 }]);
    expect(await ingestion.told('public.document.improved')).toHaveLength(1);
  });

  it('is taken out with its documents', async () => {
    write('a.md', textOf('First'));
    const id = await add({ mode, watch: true });
    await folders().remove(ingestion.tenant, id, false);
    await ingestion.settled();
    expect([await documents(), await folder()]).toEqual([[], undefined]);
    expect(await ingestion.told('public.document.deleted')).toHaveLength(1);
  });
});

describe('a folder', () => {
  it('deletes the documents of files that are gone where that is wanted', async () => {
    write('a.md', textOf('First'));
    write('b.md', textOf('Second'));
    const id = await add({ onGone: 'delete' });
    rmSync(join(place, 'a.md'));
    await scan(id);
    expect((await documents()).map(({ name }) => name)).toEqual(['b.md']);
  });

  it('that has nothing in it any more, as where a disk is not mounted, makes none of its documents gone', async () => {
    write('a.md', textOf('First'));
    const id = await add({ onGone: 'delete' });
    renameSync(place, `${place}-away`);
    mkdirSync(place);
    await scan(id);
    expect(await folder()).toMatchObject({ failure: { code: 'FOLDER_UNREADABLE' }, files: { taken: 1, gone: 0 } });
    expect(await documents()).toMatchObject([{ goneAt: null }]);
  });

  it('that is not there itself makes none of its documents gone', async () => {
    write('a.md', textOf('First'));
    const id = await add({ onGone: 'delete' });
    renameSync(place, `${place}-away`);
    await scan(id);
    expect(await folder()).toMatchObject({ failure: { code: 'FOLDER_UNREADABLE' }, files: { taken: 1, gone: 0 } });
    expect(await documents()).toMatchObject([{ goneAt: null }]);
    renameSync(`${place}-away`, place);
  });

  it('has the whole of a file that is being written while it is looked at', async () => {
    write('a.md', textOf('First'), new Date(Date.now() + 3_600_000)); // a clock ahead is waited for no longer
    const growing = join(place, 'b.md');
    writeFileSync(growing, 'Be');
    const { id } = await folders().add(ingestion.tenant, { path: place });
    await until(async () => (await documents()).length >= 1);
    for (let i = 0; i < 10; i++) {
      appendFileSync(growing, 'gin ');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    appendFileSync(growing, textOf(' end'));
    await until(async () => (await documents()).length === 2);
    await scan(id);
    const b = (await documents()).find(({ name }) => name === 'b.md');
    const whole = await ingestion.service.useCases.reads.plainText(ingestion.tenant, b?.id ?? '');
    expect(whole?.text).toContain(' end');
  });

  it('is read again by itself while it is watched, in folders that came later, too', async () => {
    await add({ watch: true });
    write('new/deep/a.md', textOf('First'));
    await until(async () => (await documents()).length === 1);
    write('new/deep/b.md', textOf('Second'));
    await until(async () => (await documents()).length === 2);
    rmSync(join(place, 'new/deep/a.md'));
    await until(async () => (await ingestion.told('public.document.gone')).length === 1);
  });

  it('does not follow links out of it, and says so; a link within it is a file', async () => {
    writeFileSync(join(bench.root, 'secret.md'), textOf('Secret'));
    write('a.md', textOf('First'));
    symlinkSync(join(bench.root, 'secret.md'), join(place, 'leaving.md'));
    symlinkSync(bench.root, join(place, 'loop'));
    symlinkSync('a.md', join(place, 'within.md'));
    await add();
    expect((await documents()).map(({ name }) => name)).toEqual(['a.md', 'within.md']);
    expect(await folder()).toMatchObject({ failure: { code: 'FOLDER_REFUSED' } });
  });

  it.each([
    ['outside of the roots', () => '/etc'],
    ['above them', () => join(bench.root, '..')],
    ['by a way out of them', () => `${bench.root}/x/../../..`],
    ['that is not there', () => join(bench.root, 'nothing')],
    ['by a link that leaves them', () => (symlinkSync('/etc', join(place, 'etc')), join(place, 'etc'))],
    ['that is a file', () => (write('a.md', 'x'), join(place, 'a.md'))],
    ['by a path that is not whole', () => 'notes'],
  ])('%s is refused', async (_, path) => {
    await expect(folders().add(ingestion.tenant, { path: path() })).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
  });

  it('is not known to other tenants', async () => {
    const id = await add();
    const other = TenantId.parse(`t-${newId().slice(-12)}`);
    expect(await folders().list(other)).toEqual([]);
    await expect(folders().remove(other, id, false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
