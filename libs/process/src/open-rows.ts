import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  bareTemplate,
  lockDataFolder,
  migrate,
  type OpenDatabase,
  openPglite,
  openPostgres,
  requireMigrated,
  requirePlainLogin,
  type ServiceRows,
} from '@postmaster/database';
import type { Log, WatchedPool } from '@postmaster/service';
import type { ProcessConfig } from './process-config.js';
import { placeOf, whenReachable } from './when-reachable.js';

export interface OpenRows {
  database: OpenDatabase;
  /** What its pool holds, where it is one of Postgres. */
  pool?: WatchedPool;
  /** No other process has these rows: what was held by one is free at a start. */
  alone: boolean;
  /** Waits, for ever, until the database answers. Throws DATABASE_NOT_MIGRATED, DATABASE_ROLE, CONFIG_INVALID. */
  usable(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A service's own rows: in Postgres where it is configured, migrated by a step of its own (apps/migrate), else embedded
 * in `<POSTMASTER_DATA>/<schema>`, for this process alone. Throws DATA_IN_USE, DATA_NEWER.
 */
export const openRows = async (config: ProcessConfig, rows: ServiceRows, log: Log): Promise<OpenRows> =>
  config.DATABASE_URL ? openShared(config, config.DATABASE_URL, rows, log) : openOwn(config, rows, log);

const openShared = (config: ProcessConfig, url: string, rows: ServiceRows, log: Log): OpenRows => {
  const database = openPostgres({
    url,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.DATABASE_TIMEOUT_MS,
    onBroken: (err) => log.warn({ err }, 'a connection to Postgres broke while idle'),
  });
  let closed = false;
  const check = async (): Promise<void> => {
    await requirePlainLogin(database.kysely, rows.schema);
    await requireMigrated(database.kysely, rows);
  };
  return {
    ...{ database, pool: database.pool, alone: false },
    usable: () => whenReachable({ check, place: placeOf(url), log, isClosed: () => closed }),
    close: () => {
      closed = true;
      return database.close();
    },
  };
};

const openOwn = async (config: ProcessConfig, rows: ServiceRows, log: Log): Promise<OpenRows> => {
  const folder = resolve(config.POSTMASTER_DATA, rows.schema);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockDataFolder(folder);
  try {
    const database = await openPglite({
      folder: resolve(folder, 'rows'),
      template: bareTemplate(),
      onStopped: (err) => {
        log.fatal({ err }, 'the embedded database stopped');
        process.exit(1);
      },
    });
    const close = async (): Promise<void> => {
      await database.close();
      await lock.release();
    };
    await migrate(database.kysely, [rows]).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    return { database, alone: true, usable: () => Promise.resolve(), close };
  } catch (error) {
    await lock.release();
    throw error;
  }
};
