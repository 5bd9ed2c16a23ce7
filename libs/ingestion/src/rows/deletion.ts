import type { TenantId } from '@postmaster/contracts';
import { enqueue, forgetDeadLetters, forgetEvents, publish } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import { dropAttachments, isAwaited } from './attachments.js';
import { announce, ERASE_BLOB, eraseJob, lockDocument } from './documents.js';
import type { IngestionTables } from './tables.js';

type Tx = Transaction<IngestionTables>;

/** What a deleted document waits for before it is erased; "ingestion" stands for the bytes. */
const ERASERS = ['embedding', 'enrichment', 'retrieval', 'ingestion'];

/**
 * Leaves a tombstone where the document was: its rows go at once, the other services' parts, the bytes and the documents
 * that were found in it follow.
 * False when there is no such document.
 */
export const deleteRow = async (
  tx: Tx,
  tenant: TenantId,
  id: string,
  { now, deletion = null }: { now: Date; deletion?: string | null },
): Promise<boolean> => {
  const row = await lockDocument(tx, id);
  if (!row || row.status === 'DELETED') return false;
  await tx.deleteFrom('paragraphs').where('document', '=', id).execute();
  await sql`delete from jobs where document = ${id} and kind <> ${ERASE_BLOB}`.execute(tx);
  await forgetDeadLetters(tx, id);
  await forgetEvents(tx, tenant, id, row.version);
  await tx
    .updateTable('documents')
    .set({
      status: 'DELETED',
      failure: null,
      active_version: null,
      progressed_at: now,
      erasing: JSON.stringify(ERASERS),
      deleted_at: now,
      deletion,
      ...{ title: '', name: '', source_uri: null, given: '{"metadata":{}}', metadata: '{}', created_at: null },
      ...{ reference: null, gone_at: null, changes: null },
    })
    .where('id', '=', id)
    .execute();
  await announce(tx, tenant, id, 'public.document.deleted');
  await publish(tx, tenant, 'document.deleted', { document: id, version: row.version });
  await publish(tx, tenant, 'document.progressed', { document: id, version: row.version });
  const hashes = new Set([row.blob_hash, row.active_blob_hash].filter((hash) => hash !== null));
  await enqueue(
    tx,
    tenant,
    [...hashes].map((hash) => eraseJob(id, hash, row.version)),
  );
  await dropAttachments(tx, tenant, row);
  return true;
};

/** Notes that a service has erased its part; the last one makes the document erased. */
export const noteForgotten = async (
  tx: Tx,
  tenant: TenantId,
  { document, version, service }: { document: string; version: number; service: string },
): Promise<void> => {
  const row = await lockDocument(tx, document);
  if (row?.status !== 'DELETED' || row.version !== version || !row.erasing) return;
  const left = row.erasing.filter((one) => one !== service);
  if (left.length === row.erasing.length) return;
  await tx
    .updateTable('documents')
    .set({ erasing: left.length > 0 ? JSON.stringify(left) : null })
    .where('id', '=', document)
    .execute();
  if (left.length > 0) return;
  await announce(tx, tenant, document, 'public.document.erased');
  await tx.updateTable('documents').set({ collection: null, language: null }).where('id', '=', document).execute();
};

/** Notes that some bytes of a document went, once none of a deleted one are left to go. */
export const noteBytesGone = async (tx: Tx, tenant: TenantId, document: string): Promise<void> => {
  const row = await lockDocument(tx, document);
  if (!row) return;
  const { rows } = await sql`select 1 from jobs where kind = ${ERASE_BLOB} and document = ${document} limit 1`.execute(
    tx,
  );
  if (rows.length === 0) await noteForgotten(tx, tenant, { document, version: row.version, service: 'ingestion' });
};

/** Marks bytes that no document of the tenant has any more; false while one has. */
export const beginErasing = async (tx: Tx, hash: string): Promise<boolean> => {
  const blob = await tx.selectFrom('blobs').select('hash').where('hash', '=', hash).forUpdate().executeTakeFirst();
  if (!blob) return false;
  const user = await tx
    .selectFrom('documents')
    .select('id')
    .where((eb) => eb.or([eb('blob_hash', '=', hash), eb('active_blob_hash', '=', hash)]))
    .where('status', '<>', 'DELETED')
    .where('reference', 'is', null)
    .executeTakeFirst();
  if (user || (await isAwaited(tx, hash))) return false;
  await tx.updateTable('blobs').set({ state: 'erasing' }).where('hash', '=', hash).execute();
  await tx.deleteFrom('parses').where('blob_hash', '=', hash).execute();
  return true;
};

export const endErasing = (tx: Tx, hash: string): Promise<unknown> =>
  tx.deleteFrom('blobs').where('hash', '=', hash).where('state', '=', 'erasing').execute();
