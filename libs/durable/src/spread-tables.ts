import { type Kysely, sql } from 'kysely';
import { SYSTEM_ROLE } from './protect-table.js';

/**
 * What delivery between processes needs beside `createDurableTables`: the trace that an event or a job belongs to, and
 * `relays`, a row per stream that the outbox is given out to: which stream it was when last seen, and who relays now.
 */
export const addSpreadTables = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  const table = (name: string) => sql.table(`${schema}.${name}`);
  for (const name of ['outbox', 'jobs']) await sql`alter table ${table(name)} add column trace text`.execute(db);
  await sql`
    create table ${table('relays')} (
      stream text primary key,
      created text,
      last_sequence bigint not null default 0,
      holder uuid,
      held_until timestamptz
    )`.execute(db);
  // No tenant has a part in it, so that the tenants' role has no right to it at all.
  await sql`grant select, insert, update, delete on ${table('relays')} to ${sql.ref(SYSTEM_ROLE)}`.execute(db);
};
