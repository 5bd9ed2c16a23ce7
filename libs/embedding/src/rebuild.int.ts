import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeQuestion, NAMED_VECTORS } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { enriched, FakeEncoder, FakePointStore, hurry, idOf, jobsOf, parsed, until } from '@postmaster/testing';
import { lanceDbStore } from '@postmaster/vectors';
import { sql } from 'kysely';
import {
  type BothHalves,
  closeWorlds,
  db,
  documentsOf,
  openWorld,
  servingIndex,
  sorted,
  wantedRevisions,
  type World,
} from '../test/repair-world.js';
import { indexOf } from './index.js';

let world: World;
let store: BothHalves;
let folder: string | undefined;
const rows = db as Database<unknown>;

beforeEach(() => {
  store = new FakePointStore();
});
afterEach(async () => {
  const errors = await closeWorlds();
  await store.close();
  if (folder) await rm(folder, { recursive: true });
  folder = undefined;
  expect(errors).toEqual([]);
});

const first = () => indexOf(world.encoder);
const second = () => ({ ...first(), name: `${first().name}-r2` });
const rebuild = async () => world.ended(await world.service.useCases.upkeep.rebuild(world.tenant));
const search = async (text: string, most = 10): Promise<string[]> => {
  const { index, vector } = await world.requests.ask(encodeQuestion, world.tenant, { text });
  const lists = await store.candidates(world.tenant, index, { vector, text, legs: ['lexical'] }, most);
  return (lists.lexical ?? []).map(({ id }) => id).sort();
};
/** What the serving index holds is what the rows say, and the other one holds nothing. */
const expectWhole = async (name: string) => {
  const serving = await servingIndex(world.tenant);
  expect(serving.name).toBe(name);
  expect(sorted(await store.revisions(world.tenant, serving))).toEqual(sorted(await wantedRevisions(world.tenant)));
  for (const other of [first(), second()])
    if (other.name !== name) expect(await store.revisions(world.tenant, other)).toEqual(new Map());
};
/** The worker is gone without a word: its lease lapses, and what it still does is refused. */
const kill = async () => {
  await db.asSystem((tx) =>
    sql`update jobs set leased_until = now() - interval '1 second', fence = fence + 1 where state = 'leased'`.execute(
      tx,
    ),
  );
  void world.service.stop(0);
};

describe('a rebuild', () => {
  it('fills a new index in LanceDB while the old one answers and live writes go to both, switches, and drops it', async () => {
    folder = await mkdtemp(join(tmpdir(), 'postmaster-rebuild-'));
    store = lanceDbStore({ folder });
    world = openWorld(store, { graceMs: 3_000 });
    const { texts } = documentsOf(8, 40);
    await world.fill({ ...texts, lasting: ['Lasting words one.', 'Lasting words two.'], leaving: ['Leaving words.'] });
    const lasting = ['Lasting words one.', 'Lasting words two.'].map((text) => idOf('lasting', text)).sort();
    const running = rebuild();
    let over = false;
    void running.then(() => (over = true));
    const found: string[][] = [];
    const told = new Set<string>();
    const searching = (async () => {
      while (!over) {
        found.push(await search('lasting'));
        told.add((await world.requests.ask(encodeQuestion, world.tenant, { text: 'x' })).index);
        await sleep(5);
      }
    })();
    await until(async () => ((await world.service.useCases.upkeep.run(world.tenant, 'rebuild'))?.filled ?? 0) > 50);
    await world.give('paragraphs.parsed', parsed('coming', 1, ['Coming words.']));
    await world.give('paragraphs.enriched', enriched('coming', 1, ['Coming words.']));
    await world.give('document.deleted', { document: 'leaving', version: 1 });
    await until(async () => (await search('coming')).length === 1 && (await search('leaving')).length === 0);
    expect((await world.service.useCases.upkeep.run(world.tenant, 'rebuild'))?.finished_at).toBeNull();
    const run = await running;
    await searching;
    expect(run).toMatchObject({ phase: 'done', missing: 0, orphaned: 0, stale: 0, fault: null });
    expect(run.filled).toBeGreaterThanOrEqual(322);
    expect(found.length).toBeGreaterThan(50);
    for (const ids of found) expect(ids).toEqual(lasting);
    expect(told).toEqual(new Set([first().name, second().name]));
    expect([await search('coming'), await search('leaving')]).toEqual([[idOf('coming', 'Coming words.')], []]);
    await expectWhole(second().name);
  });

  it('makes every vector that the row has facets for, and goes back to the first name the next time, with nothing of before', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Two.'] });
    const vectors = await world.service.useCases.readVectors(world.tenant, [idOf('d', 'One.')]);
    const strip = (all: typeof vectors) => all.map((each) => each?.map(({ indexedAt: _, ...rest }) => rest));
    for (const name of [second().name, first().name]) {
      const encoded = world.encoder.encoded.length;
      expect(await rebuild()).toMatchObject({ phase: 'done', filled: 2, looked: 2, mended: 0 });
      expect(world.encoder.encoded.length - encoded).toBe(encoded / (name === second().name ? 1 : 2));
      await expectWhole(name);
      const again = await world.service.useCases.readVectors(world.tenant, [idOf('d', 'One.')]);
      expect(strip(again)).toEqual(strip(vectors));
      const point = (store as FakePointStore).point(world.tenant, name, idOf('d', 'One.'));
      expect(Object.keys(point?.vectors ?? {}).sort()).toEqual([...NAMED_VECTORS].sort());
    }
  });

  it('does not encode again what is unchanged, once it has switched', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Two.'] });
    await rebuild();
    const encoded = world.encoder.encoded.length;
    await world.give('paragraphs.parsed', parsed('d', 2, ['Two.', 'One.'], { active: true }));
    await until(async () => (await jobsOf(rows, world.tenant)).length === 0);
    expect(world.encoder.encoded).toHaveLength(encoded);
    await expectWhole(second().name);
  });

  it('is gone on with where it was when its worker is killed', async () => {
    world = openWorld(store);
    const { texts } = documentsOf(4, 40);
    await world.fill(texts);
    const before = world.encoder.encoded.length;
    let killed = false;
    world.written.put.length = 0;
    world.before = async (what, index) => {
      if (killed || what !== 'put' || index !== second().name || world.written.put.length < 80) return;
      killed = true;
      await new Promise(() => {}); // it never comes back
    };
    const begun = await world.service.useCases.upkeep.rebuild(world.tenant);
    await until(() => killed);
    await kill();
    world.begin();
    const run = await world.ended(begun);
    expect(run).toMatchObject({ phase: 'done', filled: 160, missing: 0 });
    const stepOf16 = (before / 160) * 16;
    expect(world.encoder.encoded.length - before).toBeLessThanOrEqual(before + stepOf16);
    await expectWhole(second().name);
  });

  it('leaves nothing behind of a document that is deleted just while its points are put into the new index', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Two.'], other: ['Else.'] });
    let deleted = false;
    world.before = async (what, index) => {
      if (deleted || what !== 'put' || index !== second().name) return;
      deleted = true;
      await world.give('document.deleted', { document: 'd', version: 1 });
      await until(async () => (await jobsOf(rows, world.tenant)).every(({ kind }) => kind === 'embedding.rebuild'));
    };
    expect(await rebuild()).toMatchObject({ phase: 'done' });
    expect(deleted).toBe(true);
    expect([...(await wantedRevisions(world.tenant)).keys()]).toEqual([idOf('other', 'Else.')]);
    await expectWhole(second().name);
  });

  it('is the way to another encoder: what is refused before it answers after it', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Two.'] });
    await world.service.stop();
    const old = first();
    world.encoder = new FakeEncoder('fake:other', 24);
    world.begin();
    const refused = { code: 'DIMENSION_MISMATCH', next: expect.stringContaining('postmaster rebuild') };
    await expect(search('one')).rejects.toMatchObject(refused);
    await world.give('paragraphs.parsed', parsed('e', 1, ['Three.']));
    let deleted: number | undefined;
    world.before = async (what, index) => {
      if (deleted !== undefined || what !== 'put' || index !== first().name) return;
      deleted = -1;
      await world.give('document.deleted', { document: 'd', version: 1 });
      await until(async () => (await jobsOf(rows, world.tenant)).every(({ kind }) => !kind.endsWith('swap')));
      deleted = (await store.revisions(world.tenant, old)).size;
    };
    const run = await rebuild();
    expect(deleted).toBe(0); // taken from the old index at once, though it can not be written to
    expect(run).toMatchObject({ phase: 'done', encoder: 'fake:other', dimension: 24 });
    await until(async () => (await jobsOf(rows, world.tenant)).length === 0);
    expect(await search('three')).toEqual([idOf('e', 'Three.')]);
    expect(await store.revisions(world.tenant, old)).toEqual(new Map());
    await expectWhole(first().name);
  });

  it('ends without a switch where a point can not be made, and writers write to one index again', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Poison.'] });
    world.before = (what, index, ids) => {
      if (what === 'put' && index === second().name && ids.includes(idOf('d', 'Poison.')))
        throw new Error('The store has a fault.');
    };
    const begun = await world.service.useCases.upkeep.rebuild(world.tenant);
    const hurrying = setInterval(() => void hurry(rows), 50);
    const run = await world.ended(begun);
    clearInterval(hurrying);
    expect(run).toMatchObject({ phase: 'failed', fault: { code: 'INTERNAL' } });
    expect(world.errors.splice(0).length).toBeGreaterThan(5);
    expect((await servingIndex(world.tenant)).name).toBe(first().name);
    world.written.put.length = 0;
    await world.fill({ e: ['More.'] });
    expect(new Set(world.written.put)).toEqual(new Set([idOf('e', 'More.')]));
    expect(await search('more')).toEqual([idOf('e', 'More.')]);
    world.before = () => {};
    expect(await rebuild()).toMatchObject({ phase: 'done' });
    await expectWhole(second().name);
  });

  it('is refused where nothing was taken in, and is one run however often it is asked for', async () => {
    world = openWorld(store);
    const { upkeep } = world.service.useCases;
    await expect(upkeep.rebuild(world.tenant)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await world.fill({ d: ['One.'] });
    const [one, other] = [await upkeep.rebuild(world.tenant), await upkeep.rebuild(world.tenant)];
    expect(other.id).toBe(one.id);
    await world.ended(one);
  });
});
