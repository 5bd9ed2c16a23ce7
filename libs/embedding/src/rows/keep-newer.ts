import type { TenantId, WorkData } from '@postmaster/contracts';
import { enqueue, forgetDeadLetters, forgetEvents } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { EmbeddingTables } from './tables.js';

type Tx = Transaction<EmbeddingTables>;

/** Brings the points' text up to date. */
export const INDEX_TEXT = 'embedding.index-text';
/** Brings the vectors of their facets up to date. */
export const INDEX_FACETS = 'embedding.index-facets';
/** Swaps a document's versions, or erases it. */
export const SWAP = 'embedding.swap';

/** Takes in parsed paragraphs; what is older than a row falls away. */
export const keepNewerText = async (tx: Tx, tenant: TenantId, batch: WorkData<'paragraphs.parsed'>): Promise<void> => {
  if (!(await keepNewerDocument(tx, tenant, batch))) return;
  const rows = batch.paragraphs.map(({ id, position, page, start, end, trail, textHash, text }) => ({
    id,
    position,
    page,
    start_at: start,
    end_at: end,
    trail,
    text_hash: textHash,
    text,
  }));
  const { rows: kept } = await sql<{ id: string }>`
    insert into paragraphs (tenant, id, document, version, position, page, start_at, end_at, trail, text_hash, text, active)
    select ${tenant}, p.id, ${batch.document}, ${batch.version}, p.position, p.page, p.start_at, p.end_at, p.trail,
           p.text_hash, p.text, ${batch.active}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as p(id text, position int, page int, start_at int, end_at int, trail json, text_hash text, text text)
    on conflict (tenant, id) do update set version = excluded.version, position = excluded.position,
      page = excluded.page, start_at = excluded.start_at, end_at = excluded.end_at, trail = excluded.trail,
      text = excluded.text,
      active = paragraphs.active or excluded.active, erased = false, revision = paragraphs.revision + 1
      where paragraphs.version <= excluded.version
    returning id`.execute(tx);
  await wantIndexing(
    tx,
    tenant,
    INDEX_TEXT,
    batch,
    kept.map((row) => row.id),
  );
};

/**
 * Whether this is what a living document is to be. Its row stays locked until the transaction ends, so that a deletion
 * at the same moment comes wholly before or wholly after.
 */
const keepNewerDocument = async (
  tx: Tx,
  tenant: TenantId,
  { document, version, facts }: WorkData<'paragraphs.parsed'>,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into documents (tenant, id, version, facts) values (${tenant}, ${document}, ${version}, ${JSON.stringify(facts)})
    on conflict (tenant, id) do update set version = excluded.version, facts = excluded.facts
      where documents.version <= excluded.version and coalesce(documents.buried, 0) < excluded.version
    returning id`.execute(tx);
  return rows.length > 0;
};

/** Takes in facets; an older revision than the row's falls away, and so does what is of no known paragraph. */
export const keepNewerFacets = async (
  tx: Tx,
  tenant: TenantId,
  batch: WorkData<'paragraphs.enriched'>,
): Promise<'kept' | 'early'> => {
  // One statement, one snapshot: a paragraph that comes between two would seem to have been there for the first.
  const { rows: present } = await sql<{ id: string; kept: boolean }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(batch.paragraphs)}::json) as f(id text, revision int, facets json)
    ), kept as (
      update paragraphs as p set facets = f.facets, facets_revision = f.revision, revision = p.revision + 1
      from given f where p.id = f.id and p.facets_revision <= f.revision and not erased
      returning p.id
    )
    select p.id, exists (select 1 from kept where kept.id = p.id) as kept
    from paragraphs p where p.id in (select id from given)`.execute(tx);
  await wantIndexing(
    tx,
    tenant,
    INDEX_FACETS,
    batch,
    present.filter(({ kept }) => kept).map(({ id }) => id),
  );
  if (present.length === batch.paragraphs.length) return 'kept';
  const document = await tx.selectFrom('documents').selectAll().where('id', '=', batch.document).executeTakeFirst();
  const older = document && ((document.buried ?? 0) >= batch.version || document.version > batch.version);
  return older ? 'kept' : 'early';
};

export const wantIndexing = (
  tx: Tx,
  tenant: TenantId,
  kind: string,
  { document, version, lane }: Pick<WorkData<'paragraphs.enriched'>, 'document' | 'version' | 'lane'>,
  ids: readonly string[],
): Promise<void> =>
  enqueue(
    tx,
    tenant,
    ids.map((id) => ({ kind, key: id, document, version, lane })),
  );

/** Takes in what was extracted of a document, unless it is older than what is known; points that are there follow. */
export const keepNewerMetadata = async (
  tx: Tx,
  tenant: TenantId,
  { document, version, lane, revision, values, date }: WorkData<'metadata.extracted'>,
): Promise<'kept' | 'early'> => {
  const known = await tx.selectFrom('documents').selectAll().where('id', '=', document).forUpdate().executeTakeFirst();
  if (!known) return 'early';
  if ((known.buried ?? 0) >= version) return 'kept';
  const { rows } = await sql`
    insert into metadata (tenant, document, version, revision, "values", dated)
    values (${tenant}, ${document}, ${version}, ${revision}, ${JSON.stringify(values)}, ${date})
    on conflict (tenant, document) do update
      set version = excluded.version, revision = excluded.revision, "values" = excluded."values", dated = excluded.dated
      where (metadata.version, metadata.revision) < (excluded.version, excluded.revision)
    returning document`.execute(tx);
  if (rows.length === 0) return 'kept';
  const { rows: moved } = await sql<{ written: boolean }>`
    update paragraphs set revision = revision + 1 where document = ${document} and not erased
    returning coalesce(written_text, second_text) is not null as written`.execute(tx);
  // A paragraph that is still to be written takes it along.
  if (moved.some(({ written }) => written))
    await enqueue(tx, tenant, [{ kind: SWAP, key: document, document, version, lane }]);
  return 'kept';
};

/** Of points that were taken away, those whose rows came (back) meanwhile: nothing of them is written, all is wanted. */
export const bringBack = async (tx: Tx, tenant: TenantId, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string; document: string; version: number; enriched: boolean }>`
    update paragraphs set written_text = null, written_facets = null, second_text = null, second_facets = null
    where id = any(${ids}) and not erased
    returning id, document, version, facets is not null as enriched`.execute(tx);
  for (const { id, document, version, enriched } of rows)
    for (const kind of enriched ? [INDEX_TEXT, INDEX_FACETS] : [INDEX_TEXT])
      await wantIndexing(tx, tenant, kind, { document, version, lane: 'interactive' }, [id]);
};

/**
 * A version begins to answer: its paragraphs are shown, those of older ones go. Of a document's first version all were
 * written as shown, so that no point has to change.
 */
export const activate = async (
  tx: Tx,
  tenant: TenantId,
  { document, version }: { document: string; version: number },
): Promise<void> => {
  // A summary that comes at the same moment comes wholly before or wholly after.
  await tx.selectFrom('documents').select('id').where('id', '=', document).forUpdate().execute();
  const { numAffectedRows: shown = 0n } = await sql`
    update paragraphs set active = true, revision = revision + 1
    where document = ${document} and version = ${version} and not active`.execute(tx);
  const gone = await eraseUpTo(tx, document, version - 1);
  if (shown + gone === 0n) return;
  await enqueue(tx, tenant, [{ kind: SWAP, key: document, document, version, lane: 'interactive' }]);
};

/** Leaves a tombstone; points and rows follow. */
export const bury = async (
  tx: Tx,
  tenant: TenantId,
  { document, version }: { document: string; version: number },
): Promise<void> => {
  await sql`
    insert into documents (tenant, id, version, facts, buried) values (${tenant}, ${document}, ${version}, '{}', ${version})
    on conflict (tenant, id) do update set buried = greatest(documents.buried, excluded.buried), facts = excluded.facts
      where documents.version <= excluded.version`.execute(tx);
  await eraseUpTo(tx, document, version);
  await sql`delete from metadata where document = ${document} and version <= ${version}`.execute(tx);
  await sql`delete from jobs where document = ${document} and version <= ${version}`.execute(tx);
  await forgetDeadLetters(tx, document, version);
  await forgetEvents(tx, tenant, document, version);
  await enqueue(tx, tenant, [{ kind: SWAP, key: document, document, version, lane: 'interactive' }]);
};

/** How many rows are to go. */
const eraseUpTo = async (tx: Tx, document: string, version: number): Promise<bigint> => {
  const { numAffectedRows = 0n } = await sql`
    update paragraphs set erased = true, active = false, revision = revision + 1
    where document = ${document} and version <= ${version} and not erased`.execute(tx);
  return numAffectedRows;
};
