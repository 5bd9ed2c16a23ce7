import { Kysely } from 'kysely';
import type { OpenDatabase } from './open-database.js';
import { pgliteDialect } from './pglite-dialect.js';
import { PgliteSession } from './pglite-session.js';
import { type PgliteThread, startPgliteThread } from './pglite-thread.js';
import { plainSessions } from './plain-session.js';

export interface PgliteOptions {
  /** The folder of the rows, made where it is missing. One process at a time: hold its lock (lockDataFolder). */
  folder: string | 'memory';
  /** A file of makeTemplate that a new database starts from; an existing one is opened as it is. */
  template?: string;
  /** Told when the thread of the database dies by itself; every query fails from then on. */
  onStopped?: (error: Error) => void;
}

export const openPglite = async ({ folder, template, onStopped }: PgliteOptions): Promise<OpenDatabase> => {
  const thread = await startPgliteThread({ folder: folder === 'memory' ? undefined : folder, template }, onStopped);
  const kysely = kyselyOver(thread);
  const close = async (): Promise<void> => {
    await kysely.destroy();
    await thread.close();
  };
  return { kind: 'pglite', kysely, close };
};

export const kyselyOver = (thread: PgliteThread): Kysely<unknown> => {
  const session = new PgliteSession((bytes) => thread.protocol(bytes));
  return new Kysely<unknown>({ dialect: pgliteDialect({ session, onReserve: plainSessions() }) });
};
