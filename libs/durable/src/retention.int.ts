import { afterAll, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { durableRows } from '@postmaster/testing';
import { sql } from 'kysely';
import { databaseOf, sweepDelivered } from './index.js';

const memory = await openMemoryDatabase([durableRows('test')]);
const db = databaseOf<unknown>(memory.kysely, 'test');
const tenant = TenantId.parse('a');
afterAll(() => memory.close());

const left = (table: string): Promise<string[]> =>
  db.asSystem(async (tx) => {
    const { rows } = await sql<{ name: string }>`
      select ${table === 'outbox' ? sql`type` : table === 'inbox' ? sql`consumer` : sql`key`} as name
      from ${sql.table(table)} order by 1`.execute(tx);
    return rows.map(({ name }) => name);
  });

describe('the sweep', () => {
  it('takes what is delivered or given up and old, and never what has still to go out', async () => {
    await db.asTenant(tenant, async (tx) => {
      for (const [type, published] of [
        ['old', 8],
        ['new', 6],
        ['waiting', null],
      ])
        await sql`insert into outbox (id, tenant, type, data, created_at, published_at)
                  values (gen_random_uuid(), ${tenant}, ${type}, '{}', now() - interval '30 days',
                          now() - ${published}::int * interval '1 day')`.execute(tx);
      for (const [key, days] of [
        ['old', 91],
        ['new', 89],
      ])
        await sql`insert into dead_letters (id, tenant, source, name, key, failure, at)
                  values (gen_random_uuid(), ${tenant}, 'job', 'x', ${key}, '{}', now() - ${days}::int * interval '1 day')`.execute(
          tx,
        );
    });
    await db.asSystem(async (tx) => {
      for (const [consumer, days] of [
        ['old', 9],
        ['new', 7],
      ])
        await sql`insert into inbox (consumer, event, tenant, at)
                  values (${consumer}, gen_random_uuid(), ${tenant}, now() - ${days}::int * interval '1 day')`.execute(
          tx,
        );
    });
    await sweepDelivered(db);
    expect(await left('outbox')).toEqual(['new', 'waiting']);
    expect(await left('inbox')).toEqual(['new']);
    expect(await left('dead_letters')).toEqual(['new']);
  });
});
