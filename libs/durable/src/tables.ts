import { type Kysely, sql } from 'kysely';
import { protectTable } from './protect-table.js';

/** The tables of delivery that every service has in its own schema: outbox, inbox, jobs, dead letters. */
export const createDurableTables = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  const table = (name: string) => sql.table(`${schema}.${name}`);
  await sql`
    create table ${table('outbox')} (
      id uuid primary key,
      tenant text not null,
      type text not null,
      data json not null,
      created_at timestamptz not null default now(),
      available_at timestamptz not null default now(),
      attempts int not null default 0,
      published_at timestamptz
    )`.execute(db);
  await sql`create index on ${table('outbox')} (available_at, id) where published_at is null`.execute(db);
  await sql`create index on ${table('outbox')} (published_at) where published_at is not null`.execute(db);
  await sql`
    create table ${table('inbox')} (
      consumer text not null,
      event uuid not null,
      tenant text not null,
      at timestamptz not null default now(),
      primary key (consumer, event)
    )`.execute(db);
  await sql`create index on ${table('inbox')} (at)`.execute(db);
  await sql`
    create table ${table('jobs')} (
      id bigint generated always as identity primary key,
      tenant text not null,
      kind text not null,
      key text not null,
      document text not null,
      version int not null,
      lane text not null,
      state text not null default 'ready' check (state in ('ready', 'leased')),
      again boolean not null default false,
      attempts int not null default 0,
      fence bigint not null default 0,
      run_at timestamptz not null default now(),
      leased_until timestamptz,
      created_at timestamptz not null default now(),
      unique (tenant, kind, key)
    )`.execute(db);
  await sql`create index on ${table('jobs')} (kind, lane, tenant, run_at, id) where state = 'ready'`.execute(db);
  await sql`create index on ${table('jobs')} (kind, leased_until) where state = 'leased'`.execute(db);
  await sql`create index on ${table('jobs')} (tenant, document)`.execute(db);
  await sql`
    create table ${table('dead_letters')} (
      id uuid primary key,
      tenant text not null,
      source text not null check (source in ('job', 'event')),
      name text not null,
      key text not null,
      document text,
      version int,
      lane text,
      failure json not null,
      event json,
      at timestamptz not null default now(),
      unique (tenant, source, name, key)
    )`.execute(db);
  for (const name of ['outbox', 'inbox', 'jobs', 'dead_letters'])
    await protectTable(db, schema, name, { system: 'all' });
};
