import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

/** Summaries are told of from now on, and so are those that were made before: nothing is asked of a model for it. */
export const summariesTold = (schema: string): Migration => ({
  up: async (db) => {
    const table = sql.table(`${schema}.summaries`);
    await sql`alter table ${table} add column revision int not null default 1`.execute(db);
    await sql`
      insert into ${sql.table(`${schema}.outbox`)} (id, tenant, type, data)
      select gen_random_uuid(), tenant, 'summary.made', json_build_object(
        'document', document, 'version', version, 'lane', 'bulk', 'revision', 1, 'paragraph', left(paragraph, 2500))
      from ${table}`.execute(db);
  },
});

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
