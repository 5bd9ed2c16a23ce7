import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

const TABLES = [
  ...['entity_graphs', 'entity_read', 'entity_names', 'entity_mentions'],
  ...['entity_merges', 'entity_relations', 'entity_notes'],
];

/** What paragraphs name, as a graph; `graph` is '' for a tenant's documents, else an evaluation's id. */
export const entityGraph = (schema: string): Migration => ({
  up: async (db) => {
    const table = (name: string) => sql.table(`${schema}.${name}`);
    await sql`
      create table ${table('entity_graphs')} (
        tenant text not null,
        graph text not null,
        used_at timestamptz not null default now(),
        primary key (tenant, graph)
      )`.execute(db);
    await sql`
      create table ${table('entity_read')} (
        tenant text not null,
        paragraph text not null,
        document text not null,
        rules text not null,
        primary key (tenant, paragraph)
      )`.execute(db);
    await sql`create index on ${table('entity_read')} (tenant, document)`.execute(db);
    await sql`
      create table ${table('entity_names')} (
        tenant text not null,
        graph text not null,
        key text collate "C" not null,
        id text not null,
        entity text not null,
        name text not null,
        type text not null,
        given_type text,
        given boolean not null default false,
        primary key (tenant, graph, key)
      )`.execute(db);
    await sql`create unique index on ${table('entity_names')} (tenant, graph, id)`.execute(db);
    await sql`create index on ${table('entity_names')} (tenant, graph, entity)`.execute(db);
    await sql`
      create table ${table('entity_mentions')} (
        tenant text not null,
        graph text not null,
        paragraph text not null,
        key text collate "C" not null,
        document text not null,
        name text not null,
        type text not null,
        count int not null,
        primary key (tenant, graph, paragraph, key)
      )`.execute(db);
    await sql`create index on ${table('entity_mentions')} (tenant, graph, key)`.execute(db);
    await sql`create index on ${table('entity_mentions')} (tenant, document)`.execute(db);
    await sql`
      create table ${table('entity_merges')} (
        tenant text not null,
        graph text not null,
        key text collate "C" not null,
        into_key text collate "C" not null,
        why text not null,
        document text not null,
        paragraph text not null,
        primary key (tenant, graph, key, into_key, why, paragraph)
      )`.execute(db);
    await sql`create index on ${table('entity_merges')} (tenant, graph, into_key)`.execute(db);
    await sql`create index on ${table('entity_merges')} (tenant, document)`.execute(db);
    await sql`
      create table ${table('entity_relations')} (
        tenant text not null,
        graph text not null,
        source text collate "C" not null,
        target text collate "C" not null,
        type text not null,
        document text not null,
        paragraph text not null,
        primary key (tenant, graph, source, target, type, paragraph)
      )`.execute(db);
    await sql`create index on ${table('entity_relations')} (tenant, graph, target)`.execute(db);
    await sql`create index on ${table('entity_relations')} (tenant, document)`.execute(db);
    await sql`
      create table ${table('entity_notes')} (
        tenant text not null,
        graph text not null,
        key text collate "C" not null,
        hash text not null,
        text text not null,
        noted_at timestamptz not null default now(),
        place int not null,
        primary key (tenant, graph, key, hash)
      )`.execute(db);
    for (const name of TABLES) {
      const reach = { read: ['tenant', 'graph', 'used_at'], update: [] };
      await protectTable(db, schema, name, { system: name === 'entity_graphs' ? reach : 'none' });
    }
  },
});
