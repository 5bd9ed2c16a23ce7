import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type DataLock,
  lockDataFolder,
  migrate,
  type OpenDatabase,
  openPglite,
  readDataVersion,
  writeDataVersion,
} from '@postmaster/database';
import { SERVICE_ROWS } from './migrations.js';
import { TEMPLATE } from './template-path.js';

export interface OpenData {
  folder: string;
  lock: DataLock;
  database: OpenDatabase;
  /** Seals browser sessions over restarts. */
  sessionSecret: Uint8Array;
  /** Seals the secrets that tenants give, where the configuration names no other key. */
  secretsKey: Uint8Array;
  within(...parts: string[]): string;
}

/** Opens a data folder for this process alone. Throws DATA_IN_USE, DATA_NEWER. */
export const openData = async (path: string, version: string, onStopped: (error: Error) => void): Promise<OpenData> => {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockDataFolder(folder);
  try {
    await readDataVersion(folder);
    const within = (...parts: string[]): string => join(folder, ...parts);
    const template = existsSync(TEMPLATE) ? TEMPLATE : undefined;
    const database = await openPglite({ folder: within('rows'), template, onStopped });
    await migrate(database.kysely, SERVICE_ROWS);
    await writeDataVersion(folder, version);
    const sessionSecret = await secretFile(within('session-secret'));
    return { folder, lock, database, within, sessionSecret, secretsKey: await secretFile(within('secrets-key')) };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

const secretFile = async (path: string): Promise<Uint8Array> => {
  const there = await readFile(path).catch(() => undefined);
  if (there && there.length >= 32) return there;
  const made = randomBytes(32);
  await writeFile(path, made, { mode: 0o600 });
  return made;
};
