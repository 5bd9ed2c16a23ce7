import type { Failure, TenantId, WorkData } from '@postmaster/contracts';
import { enqueue, publish } from '@postmaster/durable';
import { type Selectable, sql, type Transaction } from 'kysely';
import { type StageCounts, statusOf } from '../document.js';
import { announce, eraseJob, lockDocument } from './documents.js';
import type { DocumentRow, IngestionTables } from './tables.js';
import { changesBy } from './version-changes.js';

type Tx = Transaction<IngestionTables>;

export const countStages = async (tx: Tx, document: string, version: number): Promise<StageCounts> => {
  const { rows } = await sql<StageCounts>`
    select count(*)::int as total,
      (count(*) filter (where text_state = 'done'))::int as "textDone",
      (count(*) filter (where text_state = 'failed'))::int as "textFailed",
      (count(*) filter (where facets_state = 'done'))::int as "facetsDone",
      (count(*) filter (where facets_state = 'failed'))::int as "facetsFailed",
      (count(*) filter (where text_state <> 'pending' and facets_state <> 'pending'))::int as settled
    from paragraphs where document = ${document} and version = ${version}`.execute(tx);
  return rows[0] ?? { total: 0, textDone: 0, textFailed: 0, facetsDone: 0, facetsFailed: 0, settled: 0 };
};

/** Marks what was indexed; true where a paragraph that had been given up is among it: an improvement. */
export const markIndexed = async (
  tx: Tx,
  { document, version, stage, paragraphs }: WorkData<'paragraphs.indexed'>,
): Promise<boolean> => {
  const state = sql.ref(`${stage}_state`);
  const { rows: repaired } = await sql`
    select id from paragraphs
    where document = ${document} and version = ${version} and id = any(${paragraphs}) and ${state} = 'failed'
    limit 1`.execute(tx);
  await sql`
    update paragraphs set ${state} = 'done', ${sql.ref(`${stage}_failure`)} = null
    where document = ${document} and version = ${version} and id = any(${paragraphs}) and ${state} <> 'done'`.execute(
    tx,
  );
  return repaired.length > 0;
};

export const markFailed = async (
  tx: Tx,
  { document, version, stage, failures }: WorkData<'paragraphs.failed'>,
): Promise<void> => {
  const state = sql.ref(`${stage}_state`);
  await sql`
    update paragraphs set ${state} = 'failed', ${sql.ref(`${stage}_failure`)} = f.failure
    from json_to_recordset(${JSON.stringify(failures)}::json) as f(paragraph text, failure json)
    where document = ${document} and version = ${version} and id = f.paragraph and ${state} <> 'done'`.execute(tx);
};

export const failuresOf = async (tx: Tx, document: string, version: number, stage: 'text' | 'facets') => {
  const { rows } = await sql<{ failure: Failure }>`
    select distinct on (${sql.ref(`${stage}_failure`)}->>'code') ${sql.ref(`${stage}_failure`)} as failure
    from paragraphs where document = ${document} and version = ${version} and ${sql.ref(`${stage}_state`)} = 'failed'
    order by ${sql.ref(`${stage}_failure`)}->>'code' limit 20`.execute(tx);
  return rows.map((row) => row.failure);
};

/** Brings the document's state in line with its paragraphs' and says what that changed. */
export const follow = async (
  tx: Tx,
  tenant: TenantId,
  { document: id, version }: { document: string; version: number },
  now: Date,
  repaired = false,
): Promise<void> => {
  const row = await lockDocument(tx, id);
  if (!row || row.version !== version || row.status === 'DELETED') return;
  const counts = await countStages(tx, id, version);
  if (counts.total === 0) return;
  const status = statusOf(counts);
  const failure = status === 'FAILED' ? ((await failuresOf(tx, id, version, 'text'))[0] ?? null) : null;
  await tx
    .updateTable('documents')
    .set({ status, failure: failure && JSON.stringify(failure), progressed_at: now, stalls: 0 })
    .where('id', '=', id)
    .execute();
  if (status === 'SEARCHABLE' || status === 'READY') await activate(tx, tenant, row, version);
  await announceChange(tx, tenant, row, status, repaired);
  await publish(tx, tenant, 'document.progressed', { document: id, version });
};

const announceChange = async (
  tx: Tx,
  tenant: TenantId,
  before: Selectable<DocumentRow>,
  status: string,
  repaired: boolean,
): Promise<void> => {
  const wasSearchable = before.status === 'SEARCHABLE' || before.status === 'READY';
  if (status === 'FAILED' && before.status !== 'FAILED')
    await announce(tx, tenant, before.id, 'public.document.failed');
  if ((status === 'SEARCHABLE' || status === 'READY') && !wasSearchable)
    await announce(tx, tenant, before.id, 'public.document.searchable');
  if (status === 'READY' && before.status !== 'READY') await announce(tx, tenant, before.id, 'public.document.ready');
  else if (status === 'READY' && repaired) await announce(tx, tenant, before.id, 'public.document.improved');
};

/** The version begins to answer, and the paragraphs of the one before go. */
const activate = async (tx: Tx, tenant: TenantId, row: Selectable<DocumentRow>, version: number): Promise<void> => {
  if (row.active_version === version) return;
  const changes = await changesBy(tx, row, version);
  await tx
    .updateTable('documents')
    .set({ active_version: version, active_blob_hash: row.blob_hash, changes: changes && JSON.stringify(changes) })
    .where('id', '=', row.id)
    .execute();
  // of the same bytes, none are stored any more where the version only refers to them
  if (row.active_blob_hash && (row.active_blob_hash !== row.blob_hash || row.reference))
    await enqueue(tx, tenant, [eraseJob(row.id, row.active_blob_hash, version)]);
  await tx.deleteFrom('paragraphs').where('document', '=', row.id).where('version', '<', version).execute();
  await publish(tx, tenant, 'version.activated', { document: row.id, version });
};
