import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { lockDataFolder, makeTemplate, openPglite } from './index.js';

let root: string;
let template: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postmaster-crash-'));
  template = join(root, 'template.tar.gz');
  await makeTemplate(template, [
    {
      schema: 'one',
      migrations: { '0001': { up: (db) => sql`create table one.numbers (n int)`.execute(db).then(() => {}) } },
    },
  ]);
}, 60_000);
afterAll(() => rm(root, { recursive: true, force: true }));

const entry = new URL('../dist/index.js', import.meta.url).href;
/** Holds the lock, commits 1 to 20, then stands in the middle of a transaction until it is killed. */
const WRITER = `
  import { lockDataFolder, openPglite } from ${JSON.stringify(entry)};
  import { sql } from 'kysely';
  const [folder, template] = process.argv.slice(1);
  await lockDataFolder(folder);
  const { kysely } = await openPglite({ folder: folder + '/rows', template });
  for (let n = 1; n <= 20; n++) await kysely.transaction().execute(async (tx) => {
    await sql\`set local role none\`.execute(tx);
    await sql\`insert into one.numbers values (\${n})\`.execute(tx);
  });
  await kysely.transaction().execute(async (tx) => {
    await sql\`set local role none\`.execute(tx);
    await sql\`insert into one.numbers select generate_series(100, 5000)\`.execute(tx);
    console.log('in the middle');
    await new Promise(() => setInterval(() => {}, 1000));
  });`;

const startWriter = async (folder: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, folder, template], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const said of child.stdout ?? []) if (String(said).includes('in the middle')) break;
  return child;
};

const numbers = async (folder: string): Promise<number[]> => {
  const database = await openPglite({ folder, template });
  try {
    return await database.kysely.transaction().execute(async (tx) => {
      await sql`set local role none`.execute(tx);
      const { rows } = await sql<{ n: number }>`select n from one.numbers order by n`.execute(tx);
      return rows.map(({ n }) => n);
    });
  } finally {
    await database.close();
  }
};

describe('a database on a folder', () => {
  it('is the only one there where it starts from a template, for the others are files that nothing reads', async () => {
    const database = await openPglite({ folder: join(root, 'lone'), template });
    const { rows } = await sql`select datname from pg_database`.execute(database.kysely);
    await database.close();
    expect(rows).toEqual([{ datname: 'postgres' }]);
  });

  it('starts from the template once and keeps what it has after that', async () => {
    const folder = join(root, 'new');
    expect(await numbers(folder)).toEqual([]);
    expect(existsSync(join(folder, 'PG_VERSION'))).toBe(true);
    expect(await numbers(folder)).toEqual([]);
  });

  it('begins anew where its first start was cut off', async () => {
    const folder = join(root, 'cut');
    await numbers(folder);
    await writeFile(`${folder}.unfinished`, '');
    await rm(join(folder, 'global'), { recursive: true });
    expect(await numbers(folder)).toEqual([]);
    expect(existsSync(`${folder}.unfinished`)).toBe(false);
  }, 60_000);

  it('keeps every committed row and no other when its process is killed, and its lock is free at once', async () => {
    const folder = join(root, 'killed');
    const child = await startWriter(folder);
    await expect(lockDataFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining(`${child.pid}`) });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await lockDataFolder(folder);
    expect(await numbers(join(folder, 'rows'))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    await lock.release();
  }, 60_000);
});
