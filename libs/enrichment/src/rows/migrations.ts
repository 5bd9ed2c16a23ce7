import { addErasureTables, addSpreadTables, createDurableTables, protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';
import { documentSummaries, summariesTold } from './summaries-migration.js';
import { entityGraph } from './entities-migration.js';
import { entityReplies } from './entity-replies-migration.js';
import { extractedMetadata } from './extracted-migration.js';
import { promptsPerTenant } from './prompts-migration.js';

export const ENRICHMENT_SCHEMA = 'enrichment';

const tables: Migration = {
  up: async (db) => {
    await createDurableTables(db, ENRICHMENT_SCHEMA);
    await sql`
      create table enrichment.paragraphs (
        tenant text not null,
        id text not null,
        document text not null,
        version int not null,
        title text not null,
        trail json not null,
        before text not null,
        text text not null,
        after text not null,
        language text,
        lane text not null,
        revision int not null default 0,
        facets json,
        input_hash text,
        primary key (tenant, id)
      )`.execute(db);
    await sql`create index on enrichment.paragraphs (tenant, document, version)`.execute(db);
    await sql`create index on enrichment.paragraphs (tenant, input_hash)`.execute(db);
    await sql`
      create table enrichment.replies (
        tenant text not null,
        input_hash text not null,
        facets json,
        input_tokens int not null default 0,
        output_tokens int not null default 0,
        asked_until timestamptz not null,
        primary key (tenant, input_hash)
      )`.execute(db);
    await sql`
      create table enrichment.tombstones (
        tenant text not null,
        document text not null,
        version int not null,
        primary key (tenant, document)
      )`.execute(db);
    for (const name of ['paragraphs', 'replies', 'tombstones'])
      await protectTable(db, ENRICHMENT_SCHEMA, name, { system: 'none' });
  },
};

const replyUses: Migration = {
  up: async (db) => {
    await sql`
      create table enrichment.reply_uses (
        tenant text not null,
        input_hash text not null,
        paragraph text not null,
        primary key (tenant, input_hash, paragraph)
      )`.execute(db);
    await sql`create index on enrichment.reply_uses (tenant, paragraph)`.execute(db);
    await sql`
      insert into enrichment.reply_uses
      select tenant, input_hash, id from enrichment.paragraphs where input_hash is not null`.execute(db);
    await protectTable(db, ENRICHMENT_SCHEMA, 'reply_uses', { system: 'none' });
  },
};

/** A claim on a model's reply ends with the lease of the job that made it, and not half an hour after a kill. */
const claimsByJob: Migration = {
  up: async (db) => {
    await sql`alter table enrichment.replies add column asked_by bigint, add column asked_fence bigint`.execute(db);
  },
};

const rejections: Migration = {
  up: async (db) => {
    await sql`
      create table enrichment.rejections (
        tenant text not null,
        paragraph text not null,
        part text not null,
        reason text not null,
        count int not null,
        primary key (tenant, paragraph, part, reason)
      )`.execute(db);
    await protectTable(db, ENRICHMENT_SCHEMA, 'rejections', { system: 'none' });
  },
};

export const enrichmentMigrations: Record<string, Migration> = {
  '0001-paragraphs': tables,
  '0002-reply-uses': replyUses,
  '0003-spread': { up: (db) => addSpreadTables(db, ENRICHMENT_SCHEMA) },
  '0004-claims-by-job': claimsByJob,
  '0005-erasure': { up: (db) => addErasureTables(db, ENRICHMENT_SCHEMA) },
  '0006-extracted-metadata': extractedMetadata(ENRICHMENT_SCHEMA),
  '0007-gate-rejections': rejections,
  '0008-summaries': documentSummaries(ENRICHMENT_SCHEMA),
  '0009-prompts': promptsPerTenant(ENRICHMENT_SCHEMA),
  '0010-entities': entityGraph(ENRICHMENT_SCHEMA),
  '0011-summaries-told': summariesTold(ENRICHMENT_SCHEMA),
  '0012-entity-replies': entityReplies(ENRICHMENT_SCHEMA),
};
