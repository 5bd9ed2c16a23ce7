import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { pointStoreContract } from '@postmaster/testing/suites';
import { lanceDbStore } from './lance-db-store.js';

const made: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of made.splice(0)) await end();
});

pointStoreContract('LanceDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postmaster-vectors-'));
  const store = lanceDbStore({ folder });
  made.push(
    () => store.close(),
    () => rm(folder, { recursive: true }),
  );
  return store;
});
