import { addSpreadTables, createDurableTables, protectTable } from '@postmaster/durable';
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

export const embeddingMigrations: Record<string, Migration> = {
  '0001-points': tables,
  '0002-spread': { up: (db) => addSpreadTables(db, EMBEDDING_SCHEMA) },
};
