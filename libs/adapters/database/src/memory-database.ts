import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type ServiceRows, migrate } from './migrate.js';
import type { OpenDatabase } from './open-database.js';
import { openPglite } from './open-pglite.js';
import { type PgliteThread, startPgliteThread } from './pglite-thread.js';
import { makeTemplate } from './template.js';

const OwnPackage = z.object({ dependencies: z.object({ '@electric-sql/pglite': z.string() }) });

/** Named after PGlite's version: its data folders are not promised to fit another. */
const bareTemplate = (folder: string): string => {
  const own = OwnPackage.parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
  return join(folder, `pglite-${own.dependencies['@electric-sql/pglite']}.tar.gz`);
};

/** The first one on a machine leaves a template that the later ones start from in a second. */
const bareMemory = async (): Promise<string> => {
  const folder = join(tmpdir(), 'postmaster-templates');
  const template = bareTemplate(folder);
  if (!existsSync(template)) {
    await mkdir(folder, { recursive: true });
    await makeTemplate(template, []);
  }
  return template;
};

/** For tests: a migrated database in memory. */
export const openMemoryDatabase = async (services: readonly ServiceRows[]): Promise<OpenDatabase> => {
  const database = await openPglite({ folder: 'memory', template: await bareMemory() });
  await migrate(database.kysely, services);
  return database;
};

/** For tests of a session: the thread of a database in memory, with nothing in it. */
export const startMemoryThread = async (): Promise<PgliteThread> => startPgliteThread({ template: await bareMemory() });
