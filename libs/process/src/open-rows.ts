import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  lockDataFolder,
  migrate,
  type OpenDatabase,
  openPglite,
  openPostgres,
  requireMigrated,
  requirePlainLogin,
  type ServiceRows,
} from '@postmaster/database';
import type { Log } from '@postmaster/service';
import type { ProcessConfig } from './process-config.js';
import { TEMPLATE } from './template-path.js';

export interface OpenRows {
  database: OpenDatabase;
  /** No other process has these rows: what was held by one is free at a start. */
  alone: boolean;
  close(): Promise<void>;
}

/**
 * A service's own rows: in Postgres where it is configured, migrated by a step of its own (apps/migrate), else embedded
 * in `<POSTMASTER_DATA>/<schema>`, for this process alone. Throws DATABASE_NOT_MIGRATED, DATABASE_ROLE; DATA_IN_USE,
 * DATA_NEWER.
 */
export const openRows = async (config: ProcessConfig, rows: ServiceRows, log: Log): Promise<OpenRows> => {
  const opened = config.DATABASE_URL
    ? await openShared(config, config.DATABASE_URL, log)
    : await openOwn(resolve(config.POSTMASTER_DATA, rows.schema), log);
  const { kysely } = opened.database;
  try {
    if (opened.alone) await migrate(kysely, [rows]);
    else {
      await requirePlainLogin(kysely, rows.schema);
      await requireMigrated(kysely, rows);
    }
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

const openShared = async (config: ProcessConfig, url: string, log: Log): Promise<OpenRows> => {
  const database = await openPostgres({
    url,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.DATABASE_TIMEOUT_MS,
    onBroken: (err) => log.warn({ err }, 'a connection to Postgres broke while idle'),
  });
  return { database, alone: false, close: () => database.close() };
};

const openOwn = async (folder: string, log: Log): Promise<OpenRows> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockDataFolder(folder);
  try {
    const database = await openPglite({
      folder: resolve(folder, 'rows'),
      template: existsSync(TEMPLATE) ? TEMPLATE : undefined,
      onStopped: (err) => {
        log.fatal({ err }, 'the embedded database stopped');
        process.exit(1);
      },
    });
    const close = async (): Promise<void> => {
      await database.close();
      await lock.release();
    };
    return { database, alone: true, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
};
