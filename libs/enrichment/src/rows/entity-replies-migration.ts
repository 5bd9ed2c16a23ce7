import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

/** What a model said of paragraphs' entities; and paragraphs know their place, so that it reads them in their order. */
export const entityReplies = (schema: string): Migration => ({
  up: async (db) => {
    await sql`alter table ${sql.table(`${schema}.paragraphs`)} add column position int not null default 0`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.entity_replies`)} (
        tenant text not null,
        paragraph text not null,
        document text not null,
        reply json not null,
        model text not null,
        prompt_version text not null,
        revision int not null default 1,
        wanted_anew boolean not null default false,
        primary key (tenant, paragraph)
      )`.execute(db);
    await sql`create index on ${sql.table(`${schema}.entity_replies`)} (tenant, document)`.execute(db);
    await protectTable(db, schema, 'entity_replies', { system: 'none' });
  },
});
