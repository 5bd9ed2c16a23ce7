import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { FakePointStore, idOf, jobsOf, pointPayload, until } from '@postmaster/testing';
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

let world: World;
let store: BothHalves;
let folder: string | undefined;

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

const reconcile = async (dryRun = false) => {
  const run = await world.ended(await world.service.useCases.upkeep.reconcile(world.tenant, dryRun));
  const { phase, looked, missing, orphaned, stale, mended } = run;
  return { phase, looked, missing, orphaned, stale, mended };
};
const setRows = (ids: readonly string[], change: ReturnType<typeof sql>) =>
  db.asTenant(world.tenant, (tx) => sql`update paragraphs set ${change} where id = any(${[...ids]})`.execute(tx));

describe('a comparison of rows and points', () => {
  it('finds and mends 500 injected differences in LanceDB, touches nothing else, and finds none after', async () => {
    folder = await mkdtemp(join(tmpdir(), 'postmaster-reconcile-'));
    store = lanceDbStore({ folder });
    world = openWorld(store);
    const { tenant, encoder, written } = world;
    const { texts, ids } = documentsOf(15, 50);
    await world.fill(texts);
    const index = await servingIndex(tenant);
    const part = (from: number, to: number) => ids.slice(from, to);
    await store.remove(tenant, index, part(0, 200));
    const strangers = Array.from({ length: 100 }, (_, i) => `stranger${i}`);
    const old = { revision: 0, payload: pointPayload({ text: 'An older text.' }) };
    await store.put(
      tenant,
      index,
      [...strangers, ...part(200, 275)].map((id) => ({ id, ...old })),
    );
    await setRows(part(275, 350), sql`position = position + 1000, revision = revision + 1`);
    await setRows(part(350, 400), sql`erased = true, revision = revision + 1`);
    encoder.encoded.length = written.put.length = written.removed.length = 0;

    const found = { looked: 750, missing: 200, orphaned: 150, stale: 150 };
    expect(await reconcile(true)).toEqual({ phase: 'done', ...found, mended: 0 });
    expect([...written.put, ...written.removed]).toEqual([]);
    expect(await reconcile()).toEqual({ phase: 'done', ...found, mended: 500 });
    expect([...written.put].sort()).toEqual(part(0, 350).sort());
    expect([...written.removed].sort()).toEqual([...strangers, ...part(350, 400)].sort());
    const vectorsEach = 1 + (await vectorCount(part(400, 401)[0] ?? ''));
    expect(encoder.encoded).toHaveLength(350 * vectorsEach);
    expect(sorted(await store.revisions(tenant, index))).toEqual(sorted(await wantedRevisions(tenant)));
    const probe = {
      vector: (await encoder.embed(['Words']))[0] ?? new Float32Array(),
      text: 'words',
      legs: ['paragraph', 'scope'] as const,
    };
    const points = await store.complete(tenant, index.name, probe, part(0, 350));
    expect(points.filter(({ scores }) => scores.paragraph !== undefined && scores.scope !== undefined)).toHaveLength(
      350,
    );
    expect(points.filter(({ payload }) => payload.text.startsWith('Words w'))).toHaveLength(350);
    expect(await reconcile()).toEqual({ phase: 'done', looked: 700, missing: 0, orphaned: 0, stale: 0, mended: 0 });
  });

  it('does not report a row that moves while it is looked at, nor one that a job will see to', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Two.'] });
    await store.remove(world.tenant, await servingIndex(world.tenant), [idOf('d', 'One.')]);
    const revisions = store.revisions.bind(store);
    store.revisions = async (...given) => {
      const found = await revisions(...given);
      await setRows([idOf('d', 'One.')], sql`revision = revision + 1`);
      return found;
    };
    expect(await reconcile()).toMatchObject({ missing: 0, stale: 0, mended: 0 });
    store.revisions = revisions;
    world.encoder.failure = new CodedError('ENCODER_UNREACHABLE', 'It is out.');
    await world.give('paragraphs.parsed', { ...(await parsedAgain('d', ['One.', 'Two.'])), version: 2 });
    await until(async () => (await jobsOf(db as Database<unknown>, world.tenant)).length > 0);
    expect(await reconcile(true)).toMatchObject({ missing: 0, stale: 0 });
    world.encoder.failure = undefined;
  });

  it('waits while the encoder is out, says why, and goes on by itself', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Two.'] });
    await store.remove(world.tenant, await servingIndex(world.tenant), [idOf('d', 'One.')]);
    world.encoder.failure = new CodedError('ENCODER_UNREACHABLE', 'It is out.');
    const { upkeep } = world.service.useCases;
    const begun = await upkeep.reconcile(world.tenant, false);
    const fault = async () => (await upkeep.run(world.tenant, 'reconcile'))?.fault?.code;
    await until(async () => (await fault()) === 'ENCODER_UNREACHABLE');
    const told: unknown[] = [];
    for (let look = 0; look < 40; look++) {
      told.push(await fault());
      await new Promise((resolve) => setTimeout(resolve, 5)); // some tries go by
    }
    expect(new Set(told)).toEqual(new Set(['ENCODER_UNREACHABLE']));
    world.encoder.failure = undefined;
    expect(await world.ended(begun)).toMatchObject({ phase: 'done', missing: 1, mended: 1, fault: null });
  });

  it('is done by another worker when the one that had it is gone, from where that was', async () => {
    world = openWorld(store, { leaseMs: 300 });
    const { texts, ids } = documentsOf(12, 50);
    await world.fill(texts);
    await store.remove(world.tenant, await servingIndex(world.tenant), ids);
    let killed = false;
    const stuck = new Promise<void>(() => {});
    world.before = () => (killed || world.written.put.length > 620 ? ((killed = true), stuck) : undefined);
    const begun = await world.service.useCases.upkeep.reconcile(world.tenant, false);
    await until(() => killed);
    const first = world.service;
    await db.asSystem((tx) =>
      sql`update jobs set leased_until = now() - interval '1 second', fence = fence + 1`.execute(tx),
    );
    world.before = () => {};
    world.begin();
    expect(await world.ended(begun)).toMatchObject({ phase: 'done', missing: 600, mended: 600 });
    expect(sorted(await store.revisions(world.tenant, await servingIndex(world.tenant)))).toEqual(
      sorted(await wantedRevisions(world.tenant)),
    );
    void first.stop(0);
  });

  it('goes on past a point that can not be written, and says that it was not mended', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.', 'Poison.', 'Two.'] });
    const all = ['One.', 'Poison.', 'Two.'].map((text) => idOf('d', text));
    await store.remove(world.tenant, await servingIndex(world.tenant), all);
    world.before = (_what, _index, ids) => {
      if (ids.includes(idOf('d', 'Poison.'))) throw new Error('The store has a fault.');
    };
    expect(await reconcile()).toMatchObject({ phase: 'done', missing: 3, mended: 2 });
    expect(world.errors.splice(0)).toHaveLength(1);
  });

  it('is asked for by itself once it is due, by any number of replicas, and runs once', async () => {
    world = openWorld(store, { reconcileEveryMs: 200 });
    await world.fill({ d: ['One.'] });
    await store.remove(world.tenant, await servingIndex(world.tenant), [idOf('d', 'One.')]);
    openWorld(store, { reconcileEveryMs: 200 });
    await until(async () => (await store.revisions(world.tenant, await servingIndex(world.tenant))).size === 1);
    await until(
      async () => (await world.service.useCases.upkeep.run(world.tenant, 'reconcile'))?.finished_at ?? undefined,
    );
    const runs = await db.asTenant(world.tenant, (tx) => tx.selectFrom('index_runs').select('mended').execute());
    expect(runs.reduce((sum, { mended }) => sum + mended, 0)).toBe(1);
  });

  it('gives the run that goes on when it is asked for again, and refuses a rebuild meanwhile', async () => {
    world = openWorld(store);
    await world.fill({ d: ['One.'] });
    await world.service.stop();
    const { upkeep } = world.service.useCases;
    const begun = await upkeep.reconcile(world.tenant, false);
    expect((await upkeep.reconcile(world.tenant, false)).id).toBe(begun.id);
    await expect(upkeep.rebuild(world.tenant)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(upkeep.reconcile(world.tenant, true)).rejects.toMatchObject({ code: 'CONFLICT' });
    world.begin();
    expect((await world.ended(begun)).looked).toBe(1);
  });
});

const vectorCount = async (id: string): Promise<number> => {
  const [vectors] = await world.service.useCases.readVectors(world.tenant, [id]);
  return (vectors ?? []).reduce((sum, { name, count }) => sum + (name === 'paragraph' ? 0 : count), 0);
};
const parsedAgain = async (document: string, texts: readonly string[]) => {
  const { parsed } = await import('@postmaster/testing');
  return parsed(document, 2, texts);
};
