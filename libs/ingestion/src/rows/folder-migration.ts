import { protectTable } from '@postmaster/durable';
import { type Migration, sql } from 'kysely';

/** What is said of every document of a folder. */
export const folderMetadata = (schema: string): Migration => ({
  up: (db) =>
    sql`alter table ${sql.table(`${schema}.folders`)} add column metadata json`.execute(db).then(() => undefined),
});

/** Folders that are read here, what was seen in them, and documents whose bytes stay where they stand. */
export const folderTables = (schema: string): Migration => ({
  up: async (db) => {
    await sql`alter table ${sql.table(`${schema}.documents`)}
      add column reference json, add column gone_at timestamptz`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.folders`)} (
        tenant text not null,
        id uuid not null,
        path text not null,
        include json not null,
        exclude json not null,
        collection text,
        mode text not null check (mode in ('content', 'reference')),
        watch boolean not null,
        on_gone text not null check (on_gone in ('keep', 'delete')),
        removing boolean not null default false,
        added_at timestamptz not null,
        scanned_at timestamptz,
        failure json,
        primary key (tenant, id),
        unique (tenant, path)
      )`.execute(db);
    await sql`
      create table ${sql.table(`${schema}.folder_files`)} (
        tenant text not null,
        folder uuid not null,
        path text not null,
        size bigint not null,
        mtime_ms double precision not null,
        hash text,
        document uuid,
        state text not null check (state in ('taken', 'refused', 'gone')),
        failure json,
        primary key (tenant, folder, path)
      )`.execute(db);
    await sql`create index on ${sql.table(`${schema}.folder_files`)} (tenant, document)`.execute(db);
    await protectTable(db, schema, 'folders', {
      system: { read: ['tenant', 'id', 'watch', 'removing', 'scanned_at'], update: [] },
    });
    await protectTable(db, schema, 'folder_files', { system: 'none' });
  },
});
