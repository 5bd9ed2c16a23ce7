import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

/** Documents' summaries, and models' replies that they are made of. */
export const documentSummaries = (schema: string): Migration => ({
  up: async (db) => {
    await sql`
      create table ${sql.table(`${schema}.summaries`)} (
        tenant text not null,
        document text not null,
        version int not null,
        input_hash text not null,
        points json not null,
        paragraph text not null,
        model text not null,
        prompt_version text not null,
        primary key (tenant, document)
      )`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.summary_replies`)} (
        tenant text not null,
        document text not null,
        input_hash text not null,
        reply json not null,
        primary key (tenant, document, input_hash)
      )`.execute(db);
    for (const name of ['summaries', 'summary_replies']) await protectTable(db, schema, name, { system: 'none' });
  },
});
