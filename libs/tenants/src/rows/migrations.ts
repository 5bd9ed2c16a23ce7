import {
  addClosedTenants,
  addErasureColumns,
  addSpreadTables,
  createDurableTables,
  protectTable,
} from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

export const TENANTS_SCHEMA = 'tenants';

/** The setting that opens one key to the system role: the key of this hash. */
export const KEY_HASH_SETTING = 'app.key_hash';

const tenantsAndKeys: Migration = {
  up: async (db) => {
    await sql`
      create table tenants.tenants (
        tenant text primary key,
        name text not null,
        paragraph_words int not null,
        long_paragraphs text not null check (long_paragraphs in ('split', 'refuse')),
        created_at timestamptz not null
      )`.execute(db);
    await sql`
      create table tenants.keys (
        id text primary key,
        tenant text not null references tenants.tenants,
        name text not null,
        hash text not null unique,
        scopes text[] not null,
        created_at timestamptz not null,
        revoked_at timestamptz
      )`.execute(db);
    await sql`create index on tenants.keys (tenant, created_at, id)`.execute(db);
    await protectTable(db, TENANTS_SCHEMA, 'tenants', { system: { read: ['tenant'], update: [] } });
    await protectTable(db, TENANTS_SCHEMA, 'keys', {
      system: {
        read: ['id', 'tenant', 'hash', 'scopes', 'revoked_at'],
        update: [],
        rows: sql`hash = current_setting(${sql.lit(KEY_HASH_SETTING)}, true)`,
      },
    });
  },
};

const chunking: Migration = {
  up: async (db) => {
    await sql`alter table tenants.tenants add column chunking text not null default 'paragraphs'`.execute(db);
  },
};

const entitiesBy: Migration = {
  up: async (db) => {
    await sql`alter table tenants.tenants add column entities_by text not null default 'server'`.execute(db);
  },
};

/** A version that does not know of it leaves it as it is. */
const searchSettings: Migration = {
  up: async (db) => {
    await sql`alter table tenants.tenants add column search jsonb not null default '{}'`.execute(db);
  },
};

const writes: Migration = {
  up: async (db) => {
    await sql`
      create table tenants.writes (
        tenant text not null,
        key text not null,
        print text,
        claim text not null,
        lapses_at timestamptz not null,
        began_at timestamptz not null,
        answer text,
        primary key (tenant, key)
      )`.execute(db);
    await sql`create index on tenants.writes (began_at)`.execute(db);
    await protectTable(db, TENANTS_SCHEMA, 'writes', { system: { read: ['began_at'], update: [], delete: true } });
  },
};

const modelProfiles: Migration = {
  up: async (db) => {
    await sql`
      create table tenants.model_profiles (
        tenant text primary key references tenants.tenants,
        version int not null,
        choices jsonb not null
      )`.execute(db);
    await protectTable(db, TENANTS_SCHEMA, 'model_profiles', { system: 'none' });
  },
};

/** Money and tokens are doubles: exact to 2^53 tokens, and for money to far below a cent. */
const ledger: Migration = {
  up: async (db) => {
    await createDurableTables(db, TENANTS_SCHEMA);
    await addSpreadTables(db, TENANTS_SCHEMA);
    await addErasureColumns(db, TENANTS_SCHEMA);
    await sql`
      create table tenants.costs (
        tenant text not null,
        month text not null,
        document text not null,
        task text not null,
        model text not null,
        calls double precision not null,
        input_tokens double precision not null,
        output_tokens double precision not null,
        cached_tokens double precision not null,
        money double precision not null,
        unpriced double precision not null,
        primary key (tenant, month, document, task, model)
      )`.execute(db);
    await sql`
      alter table tenants.tenants
        add column budget jsonb not null default '{}', add column ceiling jsonb not null default '{}'`.execute(db);
    await protectTable(db, TENANTS_SCHEMA, 'costs', { system: 'none' });
  },
};

export const tenantsMigrations: Record<string, Migration> = {
  '0001-tenants-and-keys': tenantsAndKeys,
  '0002-chunking': chunking,
  '0003-search-settings': searchSettings,
  '0004-writes': writes,
  '0005-model-profiles': modelProfiles,
  '0006-closed-tenants': { up: (db) => addClosedTenants(db, TENANTS_SCHEMA) },
  '0007-ledger': ledger,
  '0008-entities-by': entitiesBy,
};
