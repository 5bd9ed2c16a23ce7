import { addErasureTables, addSpreadTables, createDurableTables, protectTable, SYSTEM_ROLE } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';
import { folderMetadata, folderTables } from './folder-migration.js';

export const INGESTION_SCHEMA = 'ingestion';

const tables: Migration = {
  up: async (db) => {
    await createDurableTables(db, INGESTION_SCHEMA);
    await sql`
      create table ingestion.documents (
        tenant text not null,
        id uuid not null,
        source_type text not null,
        source_id text not null,
        source_uri text,
        collection text,
        version int not null,
        blob_hash text,
        name text not null,
        declared_type text,
        given json not null,
        title text not null,
        content_type text not null,
        language text,
        created_at timestamptz,
        metadata json not null,
        lane text not null,
        status text not null,
        failure json,
        active_version int,
        active_blob_hash text,
        sequence int not null default 0,
        added_at timestamptz not null,
        accepted_at timestamptz not null,
        progressed_at timestamptz not null,
        stalls int not null default 0,
        erasing json,
        primary key (tenant, id),
        unique (tenant, source_type, source_id)
      )`.execute(db);
    await sql`create index on ingestion.documents (tenant, added_at, id)`.execute(db);
    await sql`create index on ingestion.documents (tenant, blob_hash)`.execute(db);
    await sql`create index on ingestion.documents (tenant, active_blob_hash)`.execute(db);
    await sql`create index on ingestion.documents (progressed_at) where status in ('ACCEPTED', 'PARSED', 'SEARCHABLE')`.execute(
      db,
    );
    await sql`
      create table ingestion.paragraphs (
        tenant text not null,
        document uuid not null,
        version int not null,
        id text not null,
        position int not null,
        page int,
        start_at int not null,
        end_at int not null,
        trail json not null,
        kind text not null,
        language text,
        text_hash text not null,
        text text not null,
        unchanged boolean not null,
        text_state text not null default 'pending',
        facets_state text not null default 'pending',
        text_failure json,
        facets_failure json,
        primary key (tenant, document, version, id)
      )`.execute(db);
    await sql`create index on ingestion.paragraphs (tenant, id)`.execute(db);
    await sql`create index on ingestion.paragraphs (tenant, document, version, position)`.execute(db);
    await sql`
      create table ingestion.parses (
        tenant text not null,
        blob_hash text not null,
        parser text not null,
        content_type text not null,
        title text,
        language text,
        created_at timestamptz,
        metadata json not null,
        text text not null,
        blocks json not null,
        primary key (tenant, blob_hash)
      )`.execute(db);
    await sql`
      create table ingestion.blobs (
        tenant text not null,
        hash text not null,
        bytes bigint not null,
        state text not null default 'live',
        primary key (tenant, hash)
      )`.execute(db);
    await sql`
      create table ingestion.bulk_jobs (
        tenant text not null,
        id uuid not null,
        kind text not null,
        status text not null,
        filter json not null,
        cursor text not null,
        total int not null,
        done int not null,
        failed int not null,
        failures json not null,
        started_at timestamptz not null,
        finished_at timestamptz,
        primary key (tenant, id)
      )`.execute(db);
    await protectTable(db, INGESTION_SCHEMA, 'documents', {
      system: ['tenant', 'id', 'status', 'progressed_at', 'stalls'],
    });
    for (const name of ['paragraphs', 'parses', 'blobs', 'bulk_jobs'])
      await protectTable(db, INGESTION_SCHEMA, name, { system: 'none' });
  },
};

const pageStarts: Migration = {
  up: async (db) => {
    await sql`alter table ingestion.parses add column page_starts json`.execute(db);
  },
};

const chunking: Migration = {
  up: async (db) => {
    await sql`alter table ingestion.documents add column chunking text, add column cut text`.execute(db);
    await sql`alter table ingestion.paragraphs add column parent_start int, add column parent_end int`.execute(db);
  },
};

const attachments: Migration = {
  up: async (db) => {
    await sql`
      alter table ingestion.documents
        add column parent uuid, add column root uuid, add column depth int not null default 0`.execute(db);
    await sql`create index on ingestion.documents (tenant, parent) where parent is not null`.execute(db);
    await sql`create index on ingestion.documents (tenant, root) where root is not null`.execute(db);
    await sql`
      create table ingestion.attachments (
        tenant text not null,
        parent uuid not null,
        path text not null,
        position int not null,
        hash text not null,
        name text not null,
        content_type text,
        bytes bigint not null,
        accepted boolean not null default false,
        primary key (tenant, parent, path)
      )`.execute(db);
    await sql`create index on ingestion.attachments (tenant, hash) where not accepted`.execute(db);
    await sql`
      create table ingestion.unpacked (
        tenant text not null,
        parent uuid not null,
        hash text not null,
        primary key (tenant, parent, hash)
      )`.execute(db);
    await sql`create index on ingestion.unpacked (tenant, hash)`.execute(db);
    for (const name of ['attachments', 'unpacked']) await protectTable(db, INGESTION_SCHEMA, name, { system: 'none' });
  },
};

/** When a document was deleted, and by which job; jobs that ended are swept. */
const deletions: Migration = {
  up: async (db) => {
    await addErasureTables(db, INGESTION_SCHEMA);
    await sql`alter table ingestion.documents add column deleted_at timestamptz, add column deletion uuid`.execute(db);
    await sql`create index on ingestion.documents (tenant, deletion, id) where deletion is not null`.execute(db);
    const system = sql.ref(SYSTEM_ROLE); // it takes away those that ended long ago
    await sql`grant select (tenant, id, finished_at), delete on ingestion.bulk_jobs to ${system}`.execute(db);
    await sql`create policy system_reach on ingestion.bulk_jobs to ${system} using (finished_at is not null)`.execute(
      db,
    );
  },
};

const changes: Migration = {
  up: (db) => sql`alter table ingestion.documents add column changes json`.execute(db).then(() => undefined),
};

export const ingestionMigrations: Record<string, Migration> = {
  '0001-documents': tables,
  '0002-page-starts': pageStarts,
  '0003-spread': { up: (db) => addSpreadTables(db, INGESTION_SCHEMA) },
  '0004-chunking': chunking,
  '0005-attachments': attachments,
  '0006-deletions': deletions,
  '0007-folders': folderTables(INGESTION_SCHEMA),
  '0008-changes': changes,
  '0009-folder-metadata': folderMetadata(INGESTION_SCHEMA),
};
