import { done, type NewId, type TenantId } from '@postmaster/contracts';
import { enqueue, type Finished, type Job } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { GivenDocument } from './document.js';
import { deleteRow } from './rows/deletion.js';
import { acceptRow, lockDocument } from './rows/documents.js';
import type { AttachmentRow, DocumentRow, IngestionTables } from './rows/tables.js';

type Tx = Transaction<IngestionTables>;

interface AttachPorts {
  now: () => Date;
  newId: NewId;
}

/** Documents made or deleted in one transaction. */
const STEP = 25;

/**
 * Brings the documents that were found in a mail or an archive in line with what it holds now: makes those that are not
 * there, gives those that changed a new version, deletes those that it no longer holds, or all where it was deleted
 * itself. Some at a time; safe to run again, and to be killed anywhere.
 */
export const attachDocuments =
  ({ now, newId }: AttachPorts) =>
  async (tenant: TenantId, [job]: readonly Job[]): Promise<Finished<IngestionTables>> => {
    if (!job) return { outcomes: new Map() };
    return {
      outcomes: new Map([[job.id, done()]]),
      store: async (tx) => {
        const parent = await lockDocument(tx, job.document);
        if (!parent) return;
        const accepted = await acceptWaiting(tx, tenant, parent, now(), newId);
        const deleted = accepted < STEP ? await deleteSurplus(tx, tenant, parent, now()) : 0;
        if (accepted === STEP || deleted === STEP) await enqueue(tx, tenant, [{ ...job }]);
      },
    };
  };

const acceptWaiting = async (
  tx: Tx,
  tenant: TenantId,
  parent: Selectable<DocumentRow>,
  now: Date,
  newId: NewId,
): Promise<number> => {
  const waiting = await tx
    .selectFrom('attachments')
    .selectAll()
    .where('parent', '=', parent.id)
    .where('accepted', '=', false)
    .orderBy('position')
    .limit(STEP)
    .execute();
  const origin = { parent: parent.id, root: parent.root ?? parent.id, depth: parent.depth + 1 };
  for (const row of waiting)
    await acceptRow(
      tx,
      tenant,
      { ...givenBy(parent, row), origin },
      { hash: row.hash, bytes: Number(row.bytes) },
      now,
      newId,
    );
  if (waiting.length > 0)
    await tx
      .updateTable('attachments')
      .set({ accepted: true })
      .where('parent', '=', parent.id)
      .where(
        'path',
        'in',
        waiting.map(({ path }) => path),
      )
      .execute();
  return waiting.length;
};

/** What an attachment is known by: its parent, and what its parent was given with. */
const givenBy = (
  parent: Selectable<DocumentRow>,
  { path, name, content_type }: Selectable<AttachmentRow>,
): GivenDocument => {
  const { from } = parent.metadata;
  return {
    sourceType: 'attachment',
    sourceId: `${parent.id}/${path}`,
    sourceUri: parent.source_uri ?? undefined,
    collection: parent.collection ?? undefined,
    chunking: parent.chunking ?? undefined,
    metadata: {
      ...parent.given.metadata,
      parentId: parent.id,
      parentTitle: parent.title,
      ...(typeof from === 'string' && { parentFrom: from }),
      ...(parent.created_at && { parentDate: parent.created_at.toISOString() }),
    },
    name,
    declaredType: content_type ?? undefined,
    lane: parent.lane,
  };
};

const deleteSurplus = async (
  tx: Tx,
  tenant: TenantId,
  { id: parent, deletion }: Selectable<DocumentRow>,
  now: Date,
): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    select d.id from documents d
    where d.parent = ${parent} and d.status <> 'DELETED' and not exists (
      select 1 from attachments a where a.parent = ${parent} and d.source_id = a.parent || '/' || a.path)
    order by d.id limit ${STEP}`.execute(tx);
  for (const { id } of rows) await deleteRow(tx, tenant, id, { now, deletion });
  return rows.length;
};
