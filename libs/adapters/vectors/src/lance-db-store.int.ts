import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '@lancedb/lancedb';
import { TenantId } from '@postmaster/contracts';
import { pointPayload } from '@postmaster/testing';
import { pointStoreContract, pointWordsContract } from '@postmaster/testing/suites';
import { lanceDbStore } from './lance-db-store.js';

type Store = ReturnType<typeof lanceDbStore>;

const made: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of made.splice(0)) await end();
});

const make = async (): Promise<{ folder: string; store: Store }> => {
  const folder = await mkdtemp(join(tmpdir(), 'postmaster-vectors-'));
  const store = lanceDbStore({ folder });
  made.push(
    () => store.close(),
    () => rm(folder, { recursive: true }),
  );
  return { folder, store };
};

pointStoreContract('LanceDB', async () => (await make()).store);
pointWordsContract('LanceDB', async () => (await make()).store);

/** Every point is in the table before anything is read. */
pointStoreContract('LanceDB, compacted after each change', async () => {
  const { store } = await make();
  return {
    ...store,
    put: async (tenant, index, patches) => {
      await store.put(tenant, index, patches);
      await store.optimize(tenant, index);
    },
    remove: async (tenant, index, ids) => {
      await store.remove(tenant, index, ids);
      await store.optimize(tenant, index);
    },
  };
});

/** Every point comes from the journal: the store is closed after each change and opened again. */
pointStoreContract('LanceDB, opened anew for every call', async () => {
  const { folder, store: first } = await make();
  let store = first;
  let turn: Promise<unknown> = Promise.resolve();
  const anew = <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const done = turn.then(async () => {
      await store.close();
      store = lanceDbStore({ folder });
      return work(store);
    });
    turn = done.catch(() => undefined);
    return done;
  };
  made.unshift(() => anew(() => Promise.resolve()).then(() => store.close()));
  return {
    put: (...given) => anew((store) => store.put(...given)),
    remove: (...given) => anew((store) => store.remove(...given)),
    count: (...given) => anew((store) => store.count(...given)),
    revisions: (...given) => anew((store) => store.revisions(...given)),
    facetVectors: (...given) => anew((store) => store.facetVectors(...given)),
    page: (...given) => anew((store) => store.page(...given)),
    drop: (...given) => anew((store) => store.drop(...given)),
    dropIndex: (...given) => anew((store) => store.dropIndex(...given)),
    optimize: () => Promise.resolve(),
    candidates: (...given) => anew((store) => store.candidates(...given)),
    complete: (...given) => anew((store) => store.complete(...given)),
    read: (...given) => anew((store) => store.read(...given)),
    close: () => anew((store) => store.close()),
  };
});

describe('a table that was made before positions had a column', () => {
  it('gets one when it is opened, from the payloads that it holds', async () => {
    const { folder, store } = await make();
    const tenant = TenantId.parse('ours');
    const index = { name: 'main', encoder: 'test', dimension: 2 };
    const paragraph = new Float32Array([0.6, 0.8]);
    const patches = [0, 1, 2].map((position) => ({
      id: `p${position}`,
      revision: 1,
      payload: pointPayload({
        text: `"position":9,"page":1 ${position}`,
        position,
        metadata: { position: 7, page: 7 },
      }),
      vectors: { paragraph },
    }));
    await store.put(tenant, index, patches);
    await store.optimize(tenant, index);
    await store.close();
    const database = await connect(join(folder, 'main'));
    await (await database.openTable('ours')).dropColumns(['position']);
    database.close();

    const later = lanceDbStore({ folder });
    made.unshift(() => later.close());
    const read = async () =>
      (await later.read(tenant, 'main', { spans: [{ document: 'd1', from: 1, to: 2 }] }, 5)).map(({ id }) => id);
    expect(await read()).toEqual(['p1', 'p2']);
    await later.put(tenant, index, [{ id: 'p1', revision: 2, payload: { position: 8 } }]);
    await later.optimize(tenant, index);
    expect(await read()).toEqual(['p2']);
  });
});
