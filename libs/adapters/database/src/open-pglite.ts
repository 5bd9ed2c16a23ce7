import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { OpenDatabase } from './open-database.js';
import { type PgliteThread, startPgliteThread } from './pglite-thread.js';
import { plainSessions } from './plain-session.js';
import { protocolBatch } from './protocol-batch.js';

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

/** PGlite has one session: the pool's one connection, which queues whoever wants it. */
export const kyselyOver = (thread: PgliteThread): Kysely<unknown> => {
  const proxy = { waitReady: Promise.resolve(), execProtocolStream: protocolBatch((bytes) => thread.protocol(bytes)) };
  // createPgConfig is typed for a whole PGlite and uses these two of its members.
  const config = createPgConfig(proxy as unknown as PGlite);
  const pool = new pg.Pool(Object.assign(config, { max: 1, idleTimeoutMillis: 0 }));
  pool.on('error', () => {}); // the thread's death is told by onStopped, and by each query
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool, onReserveConnection: plainSessions() }) });
};
