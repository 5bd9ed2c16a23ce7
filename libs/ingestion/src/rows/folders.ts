import type { Failure, TenantId } from '@postmaster/contracts';
import { enqueue } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { KnownFile } from '../folders/compare-files.js';
import type { FileState } from '../folders/folder-files.js';
import type { FileCounts, Folder } from '../folders/folder.js';
import { announce, lockDocument } from './documents.js';
import type { FolderFileRow, FolderRow, IngestionTables } from './tables.js';

type Tx = Transaction<IngestionTables>;

export const SCAN = 'ingestion.scan-folder';

const folderOf = (row: Selectable<FolderRow>, files: FileCounts): Folder => ({
  id: row.id,
  path: row.path,
  include: row.include,
  exclude: row.exclude,
  collection: row.collection ?? undefined,
  metadata: row.metadata ?? undefined,
  mode: row.mode,
  watch: row.watch,
  onGone: row.on_gone,
  removing: row.removing,
  addedAt: row.added_at,
  scannedAt: row.scanned_at,
  failure: row.failure,
  files,
});

/** The tenant's folders by path, or the one of an id. */
export const readFolders = async (tx: Tx, id?: string): Promise<Folder[]> => {
  let query = tx.selectFrom('folders').selectAll().orderBy('path');
  if (id !== undefined) query = query.where('id', '=', id);
  const rows = await query.execute();
  const { rows: counts } = await sql<FileCounts & { folder: string }>`
    select folder, (count(*) filter (where state = 'taken'))::int as taken,
      (count(*) filter (where state = 'refused'))::int as refused, (count(*) filter (where state = 'gone'))::int as gone
    from folder_files where folder = any(${rows.map((row) => row.id)}) group by folder`.execute(tx);
  const known = new Map(counts.map(({ folder, ...files }) => [folder, files]));
  return rows.map((row) => folderOf(row, known.get(row.id) ?? { taken: 0, refused: 0, gone: 0 }));
};

/** Asks for a look at a folder; asked for twice, it is done once. */
export const wantScan = (tx: Tx, tenant: TenantId, folder: string, lane: 'interactive' | 'bulk'): Promise<void> =>
  enqueue(tx, tenant, [{ kind: SCAN, key: folder, document: folder, version: 1, lane }]);

export type FileRow = KnownFile & Pick<Selectable<FolderFileRow>, 'document' | 'hash'>;

export const readFiles = async (tx: Tx, folder: string): Promise<Map<string, FileRow>> => {
  const rows = await tx.selectFrom('folder_files').selectAll().where('folder', '=', folder).execute();
  return new Map(
    rows.map(({ path, size, mtime_ms: mtimeMs, state, document, hash }) => [
      path,
      { path, size: Number(size), mtimeMs, state, document, hash },
    ]),
  );
};

/** Notes what became of a file that was looked at. */
export const noteFile = async (
  tx: Tx,
  tenant: TenantId,
  folder: string,
  file: FileState & { path: string },
  outcome: { document: string; hash: string } | { failure: Failure },
): Promise<void> => {
  const row =
    'document' in outcome
      ? { state: 'taken' as const, document: outcome.document, hash: outcome.hash, failure: null }
      : { state: 'refused' as const, failure: JSON.stringify(outcome.failure) };
  const seen = { size: file.size, mtime_ms: file.mtimeMs, ...row };
  await tx
    .insertInto('folder_files')
    .values({ tenant, folder, path: file.path, document: null, hash: null, ...seen })
    .onConflict((conflict) => conflict.columns(['tenant', 'folder', 'path']).doUpdateSet(seen))
    .execute();
};

/** Notes that a file is gone, and says so of its document: the one that is to be deleted for that, if it is. */
export const noteGone = async (
  tx: Tx,
  tenant: TenantId,
  folder: Pick<Folder, 'id' | 'onGone'>,
  path: string,
  now: Date,
): Promise<string | null> => {
  const row = await tx
    .updateTable('folder_files')
    .set({ state: 'gone' })
    .where('folder', '=', folder.id)
    .where('path', '=', path)
    .returning('document')
    .executeTakeFirst();
  const document = row?.document ? await lockDocument(tx, row.document) : undefined;
  if (!document || document.status === 'DELETED' || document.gone_at) return null;
  if (folder.onGone === 'delete') return document.id;
  await tx.updateTable('documents').set({ gone_at: now }).where('id', '=', document.id).execute();
  await announce(tx, tenant, document.id, 'public.document.gone');
  return null;
};

export const noteScanned = (tx: Tx, folder: string, now: Date, failure: Failure | null): Promise<unknown> =>
  tx
    .updateTable('folders')
    .set({ scanned_at: now, failure: failure && JSON.stringify(failure) })
    .where('id', '=', folder)
    .execute();
