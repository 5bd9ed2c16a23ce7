import { addErasureTables, addSpreadTables, createDurableTables, protectTable, SYSTEM_ROLE } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

export const EMBEDDING_SCHEMA = 'embedding';

const tables: Migration = {
  up: async (db) => {
    await createDurableTables(db, EMBEDDING_SCHEMA);
    await sql`
      create table embedding.paragraphs (
        tenant text not null,
        id text not null,
        document text not null,
        version int not null,
        position int not null,
        page int,
        start_at int not null,
        end_at int not null,
        trail json not null,
        text_hash text not null,
        text text not null,
        active boolean not null,
        erased boolean not null default false,
        facets json,
        facets_revision int not null default 0,
        revision bigint not null default 1,
        written_index text,
        written_text text,
        written_facets int,
        windows int not null default 1,
        written_at timestamptz,
        primary key (tenant, id)
      )`.execute(db);
    await sql`create index on embedding.paragraphs (tenant, document, version)`.execute(db);
    await sql`
      create table embedding.documents (
        tenant text not null,
        id text not null,
        version int not null,
        facts json not null,
        buried int,
        primary key (tenant, id)
      )`.execute(db);
    await sql`
      create table embedding.indexes (
        tenant text not null,
        name text not null,
        encoder text not null,
        dimension int not null,
        primary key (tenant, name)
      )`.execute(db);
    for (const name of ['paragraphs', 'documents', 'indexes'])
      await protectTable(db, EMBEDDING_SCHEMA, name, { system: 'none' });
  },
};

/** Which of a tenant's indexes serves and which is filled, marks of two of them, and the runs that compare and fill. */
const repair: Migration = {
  up: async (db) => {
    await sql`
      alter table embedding.indexes
        add column role text not null default 'serving' check (role in ('serving', 'filling', 'retired')),
        add column slot int not null default 0 check (slot in (0, 1)),
        add column mark text,
        add column reconciled_at timestamptz not null default now()`.execute(db);
    for (const role of ['serving', 'filling'])
      await sql`create unique index on embedding.indexes (tenant) where role = ${sql.lit(role)}`.execute(db);
    const system = sql.ref(SYSTEM_ROLE); // it learns which tenants are due, and nothing else
    await sql`grant select (tenant, role, reconciled_at) on embedding.indexes to ${system}`.execute(db);
    await sql`create policy system_reach on embedding.indexes for select to ${system} using (true)`.execute(db);
    await sql`
      alter table embedding.paragraphs
        add column second_index text,
        add column second_text text,
        add column second_facets int,
        add column second_windows int not null default 1,
        add column second_at timestamptz`.execute(db);
    await sql`
      create table embedding.index_runs (
        tenant text not null,
        id uuid not null,
        kind text not null check (kind in ('reconcile', 'rebuild')),
        phase text not null,
        dry_run boolean not null,
        index_name text,
        encoder text,
        dimension int,
        cursor text not null default '',
        total int not null,
        filled int not null default 0,
        looked int not null default 0,
        missing int not null default 0,
        orphaned int not null default 0,
        stale int not null default 0,
        mended int not null default 0,
        fault json,
        started_at timestamptz not null default now(),
        switched_at timestamptz,
        finished_at timestamptz,
        primary key (tenant, id)
      )`.execute(db);
    await sql`create unique index on embedding.index_runs (tenant) where finished_at is null`.execute(db);
    await sql`create index on embedding.index_runs (tenant, kind, started_at)`.execute(db);
    await protectTable(db, EMBEDDING_SCHEMA, 'index_runs', { system: 'none' });
  },
};

/** Evaluations, of which the system role learns which are abandoned. */
const evaluations: Migration = {
  up: async (db) => {
    await sql`
      create table embedding.evaluations (
        tenant text not null,
        id text not null,
        encoder text not null,
        dimension int not null,
        collections json not null,
        paragraphs int not null default 0,
        used_at timestamptz not null default now(),
        primary key (tenant, id)
      )`.execute(db);
    await protectTable(db, EMBEDDING_SCHEMA, 'evaluations', {
      system: { read: ['tenant', 'id', 'used_at'], update: [] },
    });
  },
};

/** What was extracted of documents' metadata, which their points carry. */
const metadata: Migration = {
  up: async (db) => {
    await sql`
      create table embedding.metadata (
        tenant text not null,
        document text not null,
        version int not null,
        revision int not null,
        "values" json not null,
        dated text,
        primary key (tenant, document)
      )`.execute(db);
    await protectTable(db, EMBEDDING_SCHEMA, 'metadata', { system: 'none' });
  },
};

export const embeddingMigrations: Record<string, Migration> = {
  '0001-points': tables,
  '0002-spread': { up: (db) => addSpreadTables(db, EMBEDDING_SCHEMA) },
  '0003-repair': repair,
  '0004-evaluations': evaluations,
  '0005-erasure': { up: (db) => addErasureTables(db, EMBEDDING_SCHEMA) },
  '0006-metadata': metadata,
};
