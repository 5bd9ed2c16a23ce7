import { addErasureTables, addSpreadTables, createDurableTables, protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

export const RETRIEVAL_SCHEMA = 'retrieval';

const feedback: Migration = {
  up: async (db) => {
    await createDurableTables(db, RETRIEVAL_SCHEMA);
    await addSpreadTables(db, RETRIEVAL_SCHEMA);
    await sql`
      create table retrieval.feedback (
        id text not null,
        tenant text not null,
        query text collate "C" not null,
        verdict text not null check (verdict in ('right', 'wrong')),
        answer text,
        paragraphs text[] not null,
        documents text[] not null,
        note text,
        given_by text not null,
        given_at timestamptz not null,
        primary key (tenant, id)
      )`.execute(db);
    await sql`create index on retrieval.feedback (tenant, md5(query))`.execute(db);
    await sql`create index on retrieval.feedback using gin (documents)`.execute(db);
    await sql`
      create table retrieval.documents (
        tenant text not null,
        document text not null,
        deleted boolean not null,
        primary key (tenant, document)
      )`.execute(db);
    for (const name of ['feedback', 'documents']) await protectTable(db, RETRIEVAL_SCHEMA, name, { system: 'none' });
  },
};

export const retrievalMigrations: Record<string, Migration> = {
  '0001-feedback': feedback,
  '0002-erasure': { up: (db) => addErasureTables(db, RETRIEVAL_SCHEMA) },
};
