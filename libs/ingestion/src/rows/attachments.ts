import type { TenantId } from '@postmaster/contracts';
import { enqueue } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { FoundAttachment } from '../block.js';
import { bytesErased, eraseJob, lockDocument, reserveBlob } from './documents.js';
import type { DocumentRow, IngestionTables } from './tables.js';

type Tx = Transaction<IngestionTables>;

export const ATTACH = 'ingestion.attach';

/** A file found within a document, whose bytes are stored. */
export interface StoredAttachment extends FoundAttachment {
  hash: string;
}

type Parent = Pick<Selectable<DocumentRow>, 'id' | 'version' | 'lane'>;

/**
 * Says that bytes are wanted for what lies in a document. False where it was deleted or replaced meanwhile: then they go
 * again. Until `setAttachments` or `releaseAttachments` this row keeps them.
 */
export const reserveAttachment = async (
  tx: Tx,
  tenant: TenantId,
  { id, version }: { id: string; version: number },
  blob: { hash: string; bytes: number },
): Promise<boolean> => {
  const row = await lockDocument(tx, id);
  const wanted = row !== undefined && row.version === version && row.status !== 'DELETED';
  await reserveBlob(tx, tenant, blob);
  if (!wanted) await enqueue(tx, tenant, [eraseJob(id, blob.hash, version)]);
  else
    await tx
      .insertInto('unpacked')
      .values({ tenant, parent: id, hash: blob.hash })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return wanted;
};

/**
 * Sets down what a document holds, in the transaction that stores what was read of it, and asks for its documents to be
 * brought in line with that. From here on nothing of it is lost. Throws CONFLICT where bytes were erased meanwhile.
 */
export const setAttachments = async (
  tx: Tx,
  tenant: TenantId,
  parent: Parent,
  attachments: readonly StoredAttachment[],
): Promise<void> => {
  if (attachments.length === 0 && !(await holdsAny(tx, parent.id))) return;
  await requireBytes(tx, attachments);
  await forget(tx, tenant, parent, new Set(attachments.map(({ hash }) => hash)));
  for (let at = 0; at < attachments.length; at += 200)
    await tx
      .insertInto('attachments')
      .values(
        attachments.slice(at, at + 200).map(({ path, name, hash, contentType, bytes }, index) => ({
          ...{ tenant, parent: parent.id, path, name, hash, bytes },
          position: at + index,
          content_type: contentType,
        })),
      )
      .execute();
  await askFor(tx, tenant, parent, attachments.length > 0);
};

/** Nothing is held any more: the document is deleted. */
export const dropAttachments = async (tx: Tx, tenant: TenantId, parent: Parent): Promise<void> => {
  if (!(await holdsAny(tx, parent.id))) return;
  await forget(tx, tenant, parent, new Set());
  await askFor(tx, tenant, parent, false);
};

/** Lets bytes go that were stored for nothing: what they were found in can't be read after all. */
export const releaseAttachments = async (
  tx: Tx,
  tenant: TenantId,
  { id, version }: { id: string; version: number },
  kept: ReadonlySet<string> = new Set(),
): Promise<void> => {
  const gone = await tx.deleteFrom('unpacked').where('parent', '=', id).returning('hash').execute();
  await erase(
    tx,
    tenant,
    { id, version },
    gone.map(({ hash }) => hash).filter((hash) => !kept.has(hash)),
  );
};

/** Whether bytes wait for their document to be made. */
export const isAwaited = async (tx: Tx, hash: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from unpacked where hash = ${hash}
    union all select 1 from attachments where hash = ${hash} and not accepted limit 1`.execute(tx);
  return rows.length > 0;
};

/** How much was found in a document and in all that was found in it, but for what lies right in one of these. */
export const sizeOfTree = async (tx: Tx, root: string, except: string): Promise<{ files: number; bytes: number }> => {
  const { rows } = await sql<{ files: number; bytes: string }>`
    select count(*)::int as files, coalesce(sum(b.bytes), 0)::text as bytes
    from documents d left join blobs b on b.tenant = d.tenant and b.hash = d.blob_hash
    where d.root = ${root} and d.parent <> ${except} and d.status <> 'DELETED'`.execute(tx);
  return { files: rows[0]?.files ?? 0, bytes: Number(rows[0]?.bytes ?? 0) };
};

/** Rows that wait give up their bytes with themselves; documents that were made are dealt with one by one. */
const forget = async (tx: Tx, tenant: TenantId, parent: Parent, kept: ReadonlySet<string>): Promise<void> => {
  await releaseAttachments(tx, tenant, parent, kept);
  const gone = await tx
    .deleteFrom('attachments')
    .where('parent', '=', parent.id)
    .returning(['hash', 'accepted'])
    .execute();
  await erase(
    tx,
    tenant,
    parent,
    gone.flatMap(({ hash, accepted }) => (accepted || kept.has(hash) ? [] : [hash])),
  );
};

const erase = (
  tx: Tx,
  tenant: TenantId,
  { id, version }: { id: string; version: number },
  hashes: readonly string[],
): Promise<void> =>
  enqueue(
    tx,
    tenant,
    [...new Set(hashes)].map((hash) => eraseJob(id, hash, version)),
  );

/** Most documents hold nothing: that is one question. */
const holdsAny = async (tx: Tx, parent: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from attachments where parent = ${parent}
    union all select 1 from unpacked where parent = ${parent}
    union all select 1 from documents where parent = ${parent} and status <> 'DELETED' limit 1`.execute(tx);
  return rows.length > 0;
};

const askFor = async (tx: Tx, tenant: TenantId, { id, version, lane }: Parent, holds: boolean): Promise<void> => {
  const child = await tx
    .selectFrom('documents')
    .select('id')
    .where('parent', '=', id)
    .where('status', '<>', 'DELETED')
    .executeTakeFirst();
  if (holds || child) await enqueue(tx, tenant, [{ kind: ATTACH, key: id, document: id, version, lane }]);
};

const requireBytes = async (tx: Tx, attachments: readonly StoredAttachment[]): Promise<void> => {
  const wanted = new Set(attachments.map(({ hash }) => hash));
  if (wanted.size === 0) return;
  const live = await tx
    .selectFrom('blobs')
    .select('hash')
    .where('hash', 'in', [...wanted])
    .where('state', '=', 'live')
    .forUpdate()
    .execute();
  if (live.length < wanted.size) throw bytesErased();
};
