import { CodedError, type Failure, failure, type NewId, type PublicType, type TenantId } from '@postmaster/contracts';
import { enqueue, type NewJob, publish } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Accepted, Document, DocumentStatus, GivenDocument } from '../document.js';
import { isCutOtherwise, strategyOf } from '../cut.js';
import type { FileReference } from '../folders/folder.js';
import type { DocumentRow, IngestionTables } from './tables.js';

type Tx = Transaction<IngestionTables>;

export const PARSE = 'ingestion.parse';
export const ERASE_BLOB = 'ingestion.erase-blob';

export const documentOf = (row: Selectable<DocumentRow>): Document => ({
  id: row.id,
  version: row.version,
  activeVersion: row.active_version,
  title: row.title,
  sourceType: row.source_type,
  sourceId: row.source_id,
  sourceUri: row.source_uri,
  collection: row.collection,
  contentType: row.content_type,
  language: row.language,
  createdAt: row.created_at,
  addedAt: row.added_at,
  acceptedAt: row.accepted_at,
  metadata: row.metadata,
  status: row.status,
  failure: row.failure,
  blobHash: row.blob_hash,
  name: row.name,
  chunking: strategyOf(row.cut),
  reference: row.reference,
  goneAt: row.gone_at,
  changes: row.changes,
});

/** The document's row, locked until the transaction ends: what follows it, takes turns. */
export const lockDocument = (tx: Tx, id: string): Promise<Selectable<DocumentRow> | undefined> =>
  tx.selectFrom('documents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Says what became of a document to partners, with the next number of its sequence, and to live followers. */
export const announce = async (tx: Tx, tenant: TenantId, id: string, verb: PublicType): Promise<void> => {
  const row = await tx
    .updateTable('documents')
    .set({ sequence: sql`sequence + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await publish(tx, tenant, verb, {
    document: id,
    version: row.version,
    sequence: row.sequence,
    status: row.status,
    title: row.title,
    sourceType: row.source_type,
    sourceId: row.source_id,
    collection: row.collection,
    failure: verb === 'public.document.gone' ? goneFailure(row.name) : row.failure,
  });
};

/** Of a document whose file is gone. */
export const goneFailure = (name: string): Failure => failure('SOURCE_GONE', `The file "${name}" is gone.`);

interface StoredBytes {
  hash: string;
  bytes: number;
}

/** Which documents a document was found in. */
export interface Origin {
  parent: string;
  root: string;
  depth: number;
}

/**
 * Takes in stored bytes under an identity: a new document, a new version of one, or nothing new. The same bytes that are
 * to be cut otherwise, or are no longer or from now on to stay where they stand, are a new version too, which replaces the other when it is searchable.
 */
export const acceptRow = async (
  tx: Tx,
  tenant: TenantId,
  given: GivenDocument & { origin?: Origin; reference?: FileReference },
  blob: StoredBytes,
  now: Date,
  newId: NewId,
): Promise<Accepted> => {
  const sourceType = given.sourceType ?? 'upload';
  const sourceId = given.sourceId ?? `sha256:${blob.hash}`;
  const known = await tx
    .selectFrom('documents')
    .selectAll()
    .where('source_type', '=', sourceType)
    .where('source_id', '=', sourceId)
    .forUpdate()
    .executeTakeFirst();
  const present = known && known.status !== 'DELETED';
  const reference = given.reference ? JSON.stringify(given.reference) : null;
  const isMoved = present && (known.reference === null) !== (reference === null);
  const recut = isCutOtherwise(known, given.chunking) || isMoved;
  if (present && known.blob_hash === blob.hash && known.status !== 'FAILED' && !recut) {
    if (given.chunking || reference || known.gone_at) {
      const kept = { chunking: given.chunking ?? known.chunking, reference, gone_at: null };
      await tx.updateTable('documents').set(kept).where('id', '=', known.id).execute();
      if (known.gone_at) await announce(tx, tenant, known.id, 'public.document.improved');
    }
    return { document: known.id, version: known.version, unchanged: true };
  }

  if (!reference) await keepBlob(tx, tenant, blob);
  const sameBytes = present && known.blob_hash === blob.hash;
  const id = known?.id ?? newId();
  const version = known ? known.version + (sameBytes && !recut ? 0 : 1) : 1;
  const values = {
    tenant,
    id,
    source_type: sourceType,
    source_id: sourceId,
    source_uri: given.sourceUri ?? null,
    collection: given.collection ?? null,
    version,
    blob_hash: blob.hash,
    name: given.name,
    declared_type: given.declaredType ?? null,
    given: JSON.stringify({ title: given.title, createdAt: given.createdAt, metadata: given.metadata ?? {} }),
    chunking: given.chunking ?? (present ? known.chunking : null),
    cut: present ? known.cut : null,
    title: given.title ?? given.name,
    content_type: given.declaredType ?? 'application/octet-stream',
    language: null,
    created_at: given.createdAt ?? null,
    metadata: JSON.stringify(given.metadata ?? {}),
    lane: given.lane,
    status: 'ACCEPTED' as DocumentStatus,
    failure: null,
    erasing: null,
    ...{ deleted_at: null, deletion: null },
    accepted_at: now,
    progressed_at: now,
    stalls: 0,
    parent: given.origin?.parent ?? null,
    root: given.origin?.root ?? null,
    depth: given.origin?.depth ?? 0,
    reference,
    gone_at: null,
  };
  if (!known)
    await tx
      .insertInto('documents')
      .values({ ...values, active_version: null, active_blob_hash: null, added_at: now })
      .execute();
  else
    await tx
      .updateTable('documents')
      .set(present ? values : { ...values, active_version: null, active_blob_hash: null, added_at: now })
      .where('id', '=', id)
      .execute();
  await enqueue(tx, tenant, [{ kind: PARSE, key: id, document: id, version, lane: given.lane }]);
  const replaced = present && !sameBytes && known.blob_hash !== known.active_blob_hash ? known.blob_hash : null;
  if (replaced) await enqueue(tx, tenant, [eraseJob(id, replaced, version)]); // a version that never answered
  await announce(tx, tenant, id, 'public.document.accepted');
  return { document: id, version, unchanged: false };
};

/** Removes bytes unless another document has them. */
export const eraseJob = (document: string, hash: string, version: number): NewJob => ({
  kind: ERASE_BLOB,
  key: `${document}:${hash}`,
  document,
  version,
  lane: 'bulk',
});

/**
 * Says before its document's row is written that bytes are wanted. Whoever erases the same bytes at this moment has
 * begun already, which is refused here, or finds out later than `acceptRow`, which refuses then.
 */
export const reserveBlob = async (tx: Tx, tenant: TenantId, blob: StoredBytes): Promise<void> => {
  await writeBlobRow(tx, tenant, blob);
};

/** Without the row that `reserveBlob` wrote, the bytes have been erased since. */
const keepBlob = async (tx: Tx, tenant: TenantId, blob: StoredBytes): Promise<void> => {
  if (await writeBlobRow(tx, tenant, blob)) throw bytesErased();
};

/** True where there was no row yet. */
const writeBlobRow = async (tx: Tx, tenant: TenantId, { hash, bytes }: StoredBytes): Promise<boolean> => {
  const row = await tx
    .insertInto('blobs')
    .values({ tenant, hash, bytes })
    .onConflict((conflict) => conflict.columns(['tenant', 'hash']).doUpdateSet({ bytes }))
    .returning(['state', sql<boolean>`xmax = 0`.as('inserted')]) // of a row that was there, xmax is its last writer
    .executeTakeFirstOrThrow();
  if (row.state === 'erasing') throw bytesErased();
  return row.inserted;
};

/** The same bytes were a deleted document's, and went while these came in. */
export const bytesErased = (): CodedError =>
  new CodedError('CONFLICT', 'The same bytes are being erased at this moment.', {
    next: 'Send it again in a second.',
    retryAfter: 1,
  });
