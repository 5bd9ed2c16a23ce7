import { afterAll, beforeAll, describe } from 'vitest';
import { qdrantLauncher, type QdrantServer, startQdrant } from '@postmaster/testing';
import { pointStoreContract, pointWordsContract } from '@postmaster/testing/suites';
import { qdrantStore } from './qdrant-store.js';

const launcher = qdrantLauncher();

(launcher ? describe : describe.skip)('Qdrant', () => {
  let server: QdrantServer;
  let made = 0;
  beforeAll(async () => {
    server = await startQdrant({ launcher });
  });
  afterAll(() => server.stop());

  const make = async () => qdrantStore({ url: server.url, prefix: `test${made++}` });
  pointStoreContract('Qdrant', make);
  pointWordsContract('Qdrant', make);
});
