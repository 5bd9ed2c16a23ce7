import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import { readFolders, wantScan } from '../rows/folders.js';
import type { IngestionTables } from '../rows/tables.js';
import { chooseFiles } from './choose-files.js';
import type { FolderFiles } from './folder-files.js';

interface WatchPorts {
  db: Database<IngestionTables>;
  files: FolderFiles;
  onError: (error: unknown) => void;
}

export interface FolderWatches {
  /** Begins to watch what is to be watched, and ends what is not any more. */
  sync(): Promise<void>;
  close(): void;
}

/** Has watched folders looked at soon after something changed in them. Every process of the service does, for all tenants. */
export const watchFolders = ({ db, files, onError }: WatchPorts): FolderWatches => {
  const watched = new Map<string, { patterns: string; end: () => void }>();
  let isClosed = false;

  const begin = async (tenant: TenantId, id: string): Promise<void> => {
    const [folder] = await db.asTenant(tenant, (tx) => readFolders(tx, id));
    const patterns = JSON.stringify([folder?.include, folder?.exclude]);
    const before = watched.get(id);
    if (isClosed || !folder || before?.patterns === patterns) return;
    before?.end();
    const changed = (): void => {
      db.asTenant(tenant, (tx) => wantScan(tx, tenant, id, 'interactive')).catch(onError);
    };
    watched.set(id, { patterns, end: files.watch(folder.path, chooseFiles(folder).enters, changed) });
    changed(); // what happened before it was watched
  };

  return {
    sync: async () => {
      const wanted = await db.asSystem(async (tx) => {
        const { rows } = await sql<{ tenant: TenantId; id: string }>`
          select tenant, id from folders where watch and not removing`.execute(tx);
        return rows;
      });
      const ids = new Set(wanted.map(({ id }) => id));
      for (const [id, { end }] of watched)
        if (!ids.has(id)) {
          end();
          watched.delete(id);
        }
      for (const { tenant, id } of wanted) await begin(tenant, id);
    },
    close: () => {
      isClosed = true;
      for (const { end } of watched.values()) end();
      watched.clear();
    },
  };
};

/** Has watched folders looked at that nobody has looked at for so long: what a watch misses is found then. */
export const rescanFolders =
  ({ db, afterMs, now }: { db: Database<IngestionTables>; afterMs: number; now: () => Date }) =>
  async (): Promise<void> => {
    const due = await db.asSystem(async (tx) => {
      const { rows } = await sql<{ tenant: TenantId; id: string }>`
        select tenant, id from folders
        where removing or (watch and scanned_at < ${new Date(now().getTime() - afterMs)}::timestamptz)`.execute(tx);
      return rows;
    });
    for (const { tenant, id } of due) await db.asTenant(tenant, (tx) => wantScan(tx, tenant, id, 'bulk'));
  };
