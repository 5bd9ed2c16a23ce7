import { describe, expect, it } from 'vitest';
import { type Kysely, sql } from 'kysely';
import { openMemoryDatabase } from './index.js';

const numbers = {
  schema: 'one',
  migrations: {
    '0001': { up: (db: Kysely<unknown>) => sql`create table one.numbers (n int)`.execute(db).then(() => {}) },
  },
};

describe('a database in memory', () => {
  it('has nothing of the one that was closed before it: no rows, settings or prepared statements', async () => {
    const first = await openMemoryDatabase([numbers]);
    await first.kysely.connection().execute(async (session) => {
      await sql`set role none`.execute(session);
      await sql`insert into one.numbers values (1)`.execute(session);
      await sql`prepare left_over as select 1`.execute(session);
      await sql`select set_config('app.tenant', 'of-the-first', false)`.execute(session);
    });
    await first.close();
    await first.close();

    const [second, third] = [await openMemoryDatabase([]), await openMemoryDatabase([numbers])];
    const { rows } = await sql`
      select (select count(*)::int from pg_namespace where nspname = 'one') as schemas,
        (select count(*)::int from pg_prepared_statements) as prepared,
        coalesce(current_setting('app.tenant', true), '') as tenant`.execute(second.kysely);
    expect(rows).toEqual([{ schemas: 0, prepared: 0, tenant: '' }]);
    await second.close();
    await third.close();

    const again = await openMemoryDatabase([numbers]);
    await again.kysely.connection().execute(async (session) => {
      await sql`set role none`.execute(session);
      expect((await sql`select n from one.numbers`.execute(session)).rows).toEqual([]);
    });
    await again.close();
  });
});
