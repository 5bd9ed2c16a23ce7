import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
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
    revisions: (...given) => anew((store) => store.revisions(...given)),
    page: (...given) => anew((store) => store.page(...given)),
    drop: (...given) => anew((store) => store.drop(...given)),
    dropIndex: (...given) => anew((store) => store.dropIndex(...given)),
    optimize: () => Promise.resolve(),
    candidates: (...given) => anew((store) => store.candidates(...given)),
    complete: (...given) => anew((store) => store.complete(...given)),
    close: () => anew((store) => store.close()),
  };
});
