import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

/** What paragraphs' documents are to the prompts, and tenants' own prompts. One that is reset keeps its row, so that no version comes twice. */
export const promptsPerTenant = (schema: string): Migration => ({
  up: async (db) => {
    await sql`alter table ${sql.table(`${schema}.paragraphs`)} add column genre text`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.own_prompts`)} (
        tenant text not null,
        task text not null,
        language text not null,
        version int not null,
        instructions text,
        rules text,
        changed_by text not null,
        changed_at timestamptz not null default now(),
        primary key (tenant, task, language)
      )`.execute(db);
    await protectTable(db, schema, 'own_prompts', { system: 'none' });
  },
});
