import { rename, writeFile } from 'node:fs/promises';
import { type ServiceRows, migrate } from './migrate.js';
import { kyselyOver } from './open-pglite.js';
import { startPgliteThread } from './pglite-thread.js';

/** Writes a migrated, empty data folder to a file that openPglite starts new databases from; replaces it in one step. */
export const makeTemplate = async (path: string, services: readonly ServiceRows[]): Promise<void> => {
  const thread = await startPgliteThread({});
  try {
    const kysely = kyselyOver(thread);
    await migrate(kysely, services);
    await kysely.destroy();
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, await thread.dump('gzip'));
    await rename(unfinished, path);
  } finally {
    await thread.close();
  }
};
