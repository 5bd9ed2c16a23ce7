import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

/** What was extracted of documents, what people corrected of it, and models' replies. */
export const extractedMetadata = (schema: string): Migration => ({
  up: async (db) => {
    await sql`
      create table ${sql.table(`${schema}.extracted`)} (
        tenant text not null,
        document text not null,
        version int not null,
        revision int not null default 1,
        input_hash text not null,
        lane text not null,
        fields json not null,
        dropped int not null default 0,
        model text,
        shown json not null default '[]',
        filters json not null default '{}',
        dated text,
        extracted_at timestamptz not null default now(),
        primary key (tenant, document)
      )`.execute(db);
    await sql`create index on ${sql.table(`${schema}.extracted`)} (tenant, extracted_at)`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.corrections`)} (
        tenant text not null,
        document text not null,
        name text not null,
        value json,
        corrected_by text not null,
        corrected_at timestamptz not null default now(),
        primary key (tenant, document, name)
      )`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.metadata_replies`)} (
        tenant text not null,
        document text not null,
        input_hash text not null,
        reply json not null,
        input_tokens int not null default 0,
        output_tokens int not null default 0,
        primary key (tenant, document, input_hash)
      )`.execute(db);
    for (const name of ['extracted', 'corrections', 'metadata_replies'])
      await protectTable(db, schema, name, { system: 'none' });
  },
});
