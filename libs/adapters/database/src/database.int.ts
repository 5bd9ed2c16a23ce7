import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protectTable } from '@postmaster/durable';
import { type PostgresServer, postgresBinaries, startPostgres } from '@postmaster/testing';
import { type Kysely, type Migration, type Transaction, sql } from 'kysely';
import { APP_ROLE, type OpenDatabase, SYSTEM_ROLE, migrate, openMemoryDatabase, openPostgres } from './index.js';

const things = (schema: string): Migration => ({
  up: async (db) => {
    await sql`create table ${sql.table(`${schema}.things`)}
      (id bigint generated always as identity primary key, tenant text not null, secret text not null)`.execute(db);
    await protectTable(db, schema, 'things', { system: ['id', 'tenant'] });
  },
});
const services = ['one', 'two'].map((schema) => ({ schema, migrations: { '0001_things': things(schema) } }));

const as = <R>(
  kysely: Kysely<unknown>,
  role: string,
  tenant: string | undefined,
  work: (tx: Transaction<unknown>) => Promise<R>,
): Promise<R> =>
  kysely.transaction().execute(async (tx) => {
    await sql`select set_config('role', ${role}, true)`.execute(tx);
    if (tenant !== undefined) await sql`select set_config('app.tenant', ${tenant}, true)`.execute(tx);
    return work(tx);
  });

const add = (tenant: string, secret: string) => (tx: Transaction<unknown>) =>
  sql`insert into one.things (tenant, secret) values (${tenant}, ${secret})`.execute(tx);
const secrets = async (tx: Kysely<unknown>): Promise<string[]> =>
  (await sql<{ secret: string }>`select secret from one.things order by id`.execute(tx)).rows.map((row) => row.secret);

const binaries = postgresBinaries();
let server: PostgresServer | undefined;

const kinds = [
  { name: 'PGlite', runs: true, open: () => openMemoryDatabase([]) },
  {
    name: 'Postgres',
    runs: binaries !== undefined, // needs a Postgres on this machine
    open: async () => {
      server = await startPostgres(binaries ?? '');
      return openPostgres({ url: server.url, poolSize: 5, statementTimeoutMs: 10_000 });
    },
  },
];

afterAll(() => server?.stop());

for (const { name, runs, open } of kinds) {
  (runs ? describe : describe.skip)(name, () => {
    let database: OpenDatabase;
    let kysely: Kysely<unknown>;
    beforeAll(async () => {
      database = await open();
      kysely = database.kysely;
      expect(await migrate(kysely, services)).toEqual(['one/0001_things', 'two/0001_things']);
    }, 60_000);
    afterAll(() => database.close());

    it('runs each migration once, however many start at the same moment', async () => {
      const four = { schema: 'four', migrations: { '0001_things': things('four') } };
      const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(kysely, [four])));
      expect(ran.flat()).toEqual(['four/0001_things']);
    });

    it('keeps nothing of a migration that fails, nor of those before it', async () => {
      const failing = { up: () => Promise.reject(new Error('no')) };
      const three = { schema: 'three', migrations: { '0001_things': things('three'), '0002_fails': failing } };
      await expect(migrate(kysely, [three])).rejects.toThrow('no');
      expect(await migrate(kysely, [{ schema: 'three', migrations: { '0001_things': things('three') } }])).toEqual([
        'three/0001_things',
      ]);
    });

    it('refuses data with migrations that this code does not know, and names them', async () => {
      await expect(migrate(kysely, [{ schema: 'one', migrations: {} }])).rejects.toMatchObject({
        code: 'DATA_NEWER',
        message: expect.stringContaining('one/0001_things'),
      });
    });

    it('serves twenty transactions at once without mixing them', async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          as(kysely, APP_ROLE, `tenant-${at}`, async (tx) => {
            await add(`tenant-${at}`, 'first')(tx);
            await new Promise((resolve) => setImmediate(resolve));
            await add(`tenant-${at}`, `second of ${at}`)(tx);
          }),
        ),
      );
      for (let at = 0; at < 20; at++)
        expect(await as(kysely, APP_ROLE, `tenant-${at}`, secrets)).toEqual(['first', `second of ${at}`]);
    });

    it('rolls a failed transaction back and goes on serving', async () => {
      const failed = Array.from({ length: 8 }, (_, at) =>
        as(kysely, APP_ROLE, 'rolled-back', async (tx) => {
          await add('rolled-back', String(at))(tx);
          await sql`select 1 / 0`.execute(tx);
        }),
      );
      for (const outcome of await Promise.allSettled(failed)) expect(outcome.status).toBe('rejected');
      await expect(sql`selec 1`.execute(kysely)).rejects.toThrow('syntax error');
      expect(await as(kysely, APP_ROLE, 'rolled-back', secrets)).toEqual([]);
    });

    it('carries answers larger than one message buffer', async () => {
      const { rows } = await sql<{ text: string }>`select repeat('å', 3000000) as text`.execute(kysely);
      expect(rows[0]?.text.length).toBe(3_000_000);
    });

    it('gives the app role no rows without a tenant, and with one only its own', async () => {
      await as(kysely, APP_ROLE, 'ours', add('ours', 'our secret'));
      await as(kysely, APP_ROLE, 'theirs', add('theirs', 'their secret'));
      expect(await as(kysely, APP_ROLE, undefined, secrets)).toEqual([]);
      expect(await as(kysely, APP_ROLE, '', secrets)).toEqual([]);
      expect(await as(kysely, APP_ROLE, 'ours', secrets)).toEqual(['our secret']);
      await expect(as(kysely, APP_ROLE, 'ours', add('theirs', 'planted'))).rejects.toThrow('row-level security');
      await as(kysely, APP_ROLE, 'ours', (tx) => sql`delete from one.things`.execute(tx));
      expect(await as(kysely, APP_ROLE, 'theirs', secrets)).toEqual(['their secret']);
    });

    it('gives the system role every tenant, and only the columns it was given', async () => {
      await as(kysely, APP_ROLE, 'a', add('a', 'x'));
      const tenants = (tx: Transaction<unknown>) => sql`select tenant from one.things where tenant = 'a'`.execute(tx);
      expect((await as(kysely, SYSTEM_ROLE, undefined, tenants)).rows).toEqual([{ tenant: 'a' }]);
      await expect(as(kysely, SYSTEM_ROLE, undefined, secrets)).rejects.toThrow('permission denied');
    });

    it('makes the app role that of every session, so that a query beside any transaction sees no rows', async () => {
      await as(kysely, APP_ROLE, 'beside', add('beside', 'x'));
      const seen = await Promise.all([1, 2, 3, 4, 5].map(() => secrets(kysely)));
      expect(seen.flat()).toEqual([]);
      const { rows } = await sql`select rolsuper, rolbypassrls from pg_roles where rolname = current_user`.execute(
        kysely,
      );
      expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    });
  });
}
