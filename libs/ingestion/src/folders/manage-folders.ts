import { CodedError, isId, type NewId, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { refuseZeros } from '../refuse-zeros.js';
import { readFolders, wantScan } from '../rows/folders.js';
import type { IngestionTables } from '../rows/tables.js';
import type { FolderFiles } from './folder-files.js';
import { type Folder, GivenFolder } from './folder.js';

export interface FolderPorts {
  db: Database<IngestionTables>;
  files: FolderFiles;
  now: () => Date;
  newId: NewId;
  /** Told after a folder was added or taken out here. */
  onChange?: () => void;
}

export interface Folders {
  list(tenant: TenantId): Promise<Folder[]>;
  /**
   * Adds a folder, or changes one that is there under the same path, and has it looked at. Throws FOLDER_REFUSED,
   * INPUT_INVALID; CONFLICT where it is being taken out.
   */
  add(tenant: TenantId, given: unknown): Promise<Folder>;
  /** Has it looked at now. Throws NOT_FOUND. */
  scan(tenant: TenantId, id: string): Promise<Folder>;
  /**
   * Takes it out, with its documents unless they are to be kept, which those of which nothing is stored can't be. The
   * work goes on after this. Throws NOT_FOUND, INPUT_INVALID.
   */
  remove(tenant: TenantId, id: string, keepDocuments: boolean): Promise<Folder>;
}

export const manageFolders = ({ db, files, now, newId, onChange = () => {} }: FolderPorts): Folders => ({
  list: (tenant) => db.asTenant(tenant, (tx) => readFolders(tx)),
  add: async (tenant, input) => {
    const given = parsed(input);
    const path = await files.resolve(tenant, given.path);
    const folder = await db.asTenant(tenant, async (tx) => {
      const values = {
        include: JSON.stringify(given.include),
        exclude: JSON.stringify(given.exclude),
        collection: given.collection ?? null,
        metadata: given.metadata ? JSON.stringify(given.metadata) : null,
        ...{ mode: given.mode, watch: given.watch, on_gone: given.onGone },
      };
      const before = await tx.selectFrom('folders').selectAll().where('path', '=', path).forUpdate().executeTakeFirst();
      if (before?.removing)
        throw new CodedError('CONFLICT', `"${path}" is being taken out at this moment.`, { retryAfter: 5 });
      const row = await tx
        .insertInto('folders')
        .values({ tenant, id: newId(), path, ...values, added_at: now(), scanned_at: null, failure: null })
        .onConflict((conflict) => conflict.columns(['tenant', 'path']).doUpdateSet(values))
        .returning('id')
        .executeTakeFirstOrThrow();
      // What is known of its files was true of documents of the other kind: all are looked at as if they were new.
      if (before && (before.mode !== given.mode || before.collection !== values.collection))
        await tx.updateTable('folder_files').set({ mtime_ms: 0 }).where('folder', '=', row.id).execute();
      await wantScan(tx, tenant, row.id, 'interactive');
      return one(await readFolders(tx, row.id), row.id);
    });
    onChange();
    return folder;
  },
  scan: (tenant, id) =>
    db.asTenant(tenant, async (tx) => {
      const folder = one(await readFolders(tx, idOf(id)), id);
      await wantScan(tx, tenant, folder.id, 'interactive');
      return folder;
    }),
  remove: async (tenant, id, keepDocuments) => {
    const folder = await db.asTenant(tenant, async (tx) => {
      const { mode } = one(await readFolders(tx, idOf(id)), id);
      if (keepDocuments && mode === 'reference')
        throw new CodedError('INPUT_INVALID', 'Nothing of these documents is stored: they go with their folder.', {
          field: 'keepDocuments',
        });
      if (keepDocuments) await tx.deleteFrom('folder_files').where('folder', '=', id).execute();
      await tx.updateTable('folders').set({ removing: true }).where('id', '=', id).execute();
      await wantScan(tx, tenant, id, 'interactive');
      return one(await readFolders(tx, id), id);
    });
    onChange();
    return folder;
  },
});

/** Adds what the operator configured, for each one's tenant; one that can't be added is told of and keeps none back. */
export const configureFolders = async (
  folders: Pick<Folders, 'add'>,
  configured: readonly { tenant: string; path: string }[],
  onError: (error: unknown) => void,
): Promise<void> => {
  for (const { tenant, ...given } of configured)
    await folders.add(TenantId.parse(tenant), given).catch((error: unknown) => onError(error));
};

const parsed = (input: unknown): GivenFolder => {
  const read = GivenFolder.safeParse(input);
  if (read.success) {
    refuseZeros({ ...read.data });
    return read.data;
  }
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') || 'folder';
  throw new CodedError('INPUT_INVALID', `"${field}": ${issue?.message ?? 'of a wrong form'}.`, { field });
};

const NOBODY = '00000000-0000-0000-0000-000000000000';

const idOf = (id: string): string => (isId(id) ? id : NOBODY);

const one = (folders: readonly Folder[], id: string): Folder => {
  const [folder] = folders;
  if (!folder) throw new CodedError('NOT_FOUND', `There is no folder "${id}".`, { field: 'id' });
  return folder;
};
