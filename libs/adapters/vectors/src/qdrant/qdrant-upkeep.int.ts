import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeQuestion } from '@postmaster/contracts';
import { pointPayload, qdrantLauncher, type QdrantServer, startQdrant } from '@postmaster/testing';
import {
  closeWorlds,
  documentsOf,
  openWorld,
  servingIndex,
  sorted,
  wantedRevisions,
  type World,
} from '../../../../embedding/test/repair-world.js';
import { type QdrantStore, qdrantStore } from './qdrant-store.js';

const launcher = qdrantLauncher();

(launcher ? describe : describe.skip)('The upkeep of an index in Qdrant', () => {
  let server: QdrantServer;
  let store: QdrantStore;
  let world: World;
  let made = 0;
  beforeAll(async () => {
    server = await startQdrant({ launcher });
  });
  beforeEach(() => {
    store = qdrantStore({ url: server.url, prefix: `upkeep${made++}` });
    world = openWorld(store);
  });
  afterEach(async () => {
    const errors = await closeWorlds();
    await store.close();
    expect(errors).toEqual([]);
  });
  afterAll(async () => {
    await server.stop();
  });

  const expectWhole = async () =>
    expect(sorted(await store.revisions(world.tenant, await servingIndex(world.tenant)))).toEqual(
      sorted(await wantedRevisions(world.tenant)),
    );

  it('finds and mends what differs, and leaves another tenant alone', async () => {
    const other = openWorld(store);
    await other.fill({ theirs: ['Their words.'] });
    const { texts, ids } = documentsOf(3, 20);
    await world.fill(texts);
    const index = await servingIndex(world.tenant);
    await store.remove(world.tenant, index, ids.slice(0, 10));
    const old = { revision: 0, payload: pointPayload({ text: 'An older text.' }) };
    const changed = ['stranger1', 'stranger2', ...ids.slice(10, 20)];
    await store.put(
      world.tenant,
      index,
      changed.map((id) => ({ id, ...old })),
    );
    const run = await world.ended(await world.service.useCases.upkeep.reconcile(world.tenant, false));
    expect(run).toMatchObject({ looked: 60, missing: 10, orphaned: 2, stale: 10, mended: 22 });
    await expectWhole();
    expect((await store.revisions(other.tenant, index)).size).toBe(1);
  });

  it('switches one tenant to its new index and leaves the other in the one that they shared', async () => {
    const other = openWorld(store);
    await other.fill({ theirs: ['Their words.'] });
    await world.fill(documentsOf(2, 20).texts);
    const shared = await servingIndex(world.tenant);
    const run = await world.ended(await world.service.useCases.upkeep.rebuild(world.tenant));
    expect(run).toMatchObject({ phase: 'done', filled: 40, missing: 0, orphaned: 0, stale: 0 });
    expect([(await servingIndex(world.tenant)).name, (await servingIndex(other.tenant)).name]).toEqual([
      `${shared.name}-r2`,
      shared.name,
    ]);
    await expectWhole();
    expect(await store.revisions(world.tenant, shared)).toEqual(new Map());
    for (const [each, most] of [
      [world, 20],
      [other, 1],
    ] as const) {
      const { index, vector } = await each.requests.ask(encodeQuestion, each.tenant, { text: 'words' });
      const { lexical } = await store.candidates(each.tenant, index, { vector, text: 'words', legs: ['lexical'] }, 20);
      expect(lexical).toHaveLength(most);
    }
  });
});
