import { afterAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { APP_ROLE, cleanUp, openMemoryDatabase } from './index.js';

const memory = await openMemoryDatabase([
  {
    schema: 'one',
    migrations: {
      '0001_things': {
        up: async (db) => {
          await sql`create table one.things (id int primary key)`.execute(db);
          await sql`insert into one.things select generate_series(1, 1000)`.execute(db);
        },
      },
    },
  },
]);

describe('cleaning up', () => {
  afterAll(() => memory.close());

  it('gives the planner figures to go by, and leaves the session as plain as it was', async () => {
    await cleanUp(memory);
    const { rows } = await sql<{ reltuples: number; role: string }>`
      select reltuples::int, current_user as role from pg_class where relname = 'things'`.execute(memory.kysely);
    expect(rows).toEqual([{ reltuples: 1000, role: APP_ROLE }]);
  });

  it('lets others have their turn meanwhile', async () => {
    let over = false;
    const cleaned = cleanUp(memory).then(() => (over = true));
    for (let turn = 0; turn < 3; turn++) await sql`select 1`.execute(memory.kysely);
    expect(over).toBe(false);
    await cleaned;
  });
});
