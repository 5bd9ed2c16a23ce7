import { type Consumer, done, type TenantId } from '@postmaster/contracts';
import { type Database, type Finished, type Job, once } from '@postmaster/durable';
import type { BlobStore } from './blob-store.js';
import { beginErasing, deleteRow, endErasing, noteBytesGone, noteForgotten } from './rows/deletion.js';
import type { IngestionTables } from './rows/tables.js';

interface DeletePorts {
  db: Database<IngestionTables>;
  now: () => Date;
}

/** Deletes one document everywhere: gone from reads when this resolves, erased soon after. `deletion`: the job that asks. False: there was none. */
export const deleteDocument =
  ({ db, now }: DeletePorts) =>
  (tenant: TenantId, id: string, deletion?: string): Promise<boolean> =>
    db.asTenant(tenant, (tx) => deleteRow(tx, tenant, id, { now: now(), deletion }));

/** Removes bytes that nobody has any more. Safe to run again. */
export const eraseBlob =
  ({ db, blobs }: { db: Database<IngestionTables>; blobs: BlobStore }) =>
  async (tenant: TenantId, [job]: readonly Job[]): Promise<Finished<IngestionTables>> => {
    const hash = job?.key.split(':')[1];
    if (!job || !hash) return { outcomes: new Map() };
    const unused = await db.asTenant(tenant, (tx) => beginErasing(tx, hash));
    if (unused) await blobs.remove(tenant, hash);
    return {
      outcomes: new Map([[job.id, done()]]),
      store: async (tx) => {
        if (unused) await endErasing(tx, hash);
        await noteBytesGone(tx, tenant, job.document);
      },
    };
  };

/** Follows the erasing of a deleted document in the other services. */
export const followErasing = ({ db }: { db: Database<IngestionTables> }): Consumer<'document.forgotten'> => ({
  name: 'ingestion.follow-erasing',
  types: ['document.forgotten'],
  handle: (event) => once(db, 'ingestion.follow-erasing', event, (tx) => noteForgotten(tx, event.tenant, event.data)),
});
