/** The thread that holds PGlite. Requests run one after the other, so that no query enters another's message. */
import { PGlite } from '@electric-sql/pglite';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerAnswer, WorkerRequest, WorkerStart } from './pglite-messages.js';

if (!parentPort) throw new Error('pglite-worker runs in a worker thread only.');
const port = parentPort;
const { folder, template } = workerData as WorkerStart; // by the one that starts this thread, openPglite

/**
 * A new folder is filled under a mark; one that still carries it was cut off before its first commit, and is begun anew.
 */
const start = async (): Promise<PGlite> => {
  const loadDataDir = async () => (template ? new Blob([await readFile(template)]) : undefined);
  if (!folder) return PGlite.create({ loadDataDir: await loadDataDir() });
  const mark = `${folder}.unfinished`;
  if (existsSync(mark)) await rm(folder, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return PGlite.create({ dataDir: folder });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await (await open(mark, 'w')).close();
  const database = await PGlite.create({ dataDir: folder, loadDataDir: await loadDataDir() });
  await rm(mark);
  return database;
};

const answer = (message: WorkerAnswer): void => port.postMessage(message);

const perform = async (database: PGlite, request: WorkerRequest): Promise<Uint8Array | undefined> => {
  switch (request.do) {
    case 'protocol':
      return database.execProtocolRaw(request.bytes);
    case 'dump':
      return new Uint8Array(await (await database.dumpDataDir(request.compression)).arrayBuffer());
    case 'close':
      await database.close();
      return undefined;
  }
};

const serve = async (): Promise<void> => {
  const database = await start();
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    last = last.then(async () => {
      try {
        answer({ id: request.id, bytes: await perform(database, request) });
      } catch (error) {
        answer({ id: request.id, failure: String(error) });
      }
      if (request.do === 'close') port.close();
    });
  });
  answer({ id: 0 });
};

serve().catch((error: unknown) => {
  answer({ id: 0, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  port.close();
});
