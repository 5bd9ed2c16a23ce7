import { type DocumentFacts, hashOf, paragraphId, type ParsedParagraph, type TenantId } from '@postmaster/contracts';
import { publish } from '@postmaster/durable';
import type { Selectable, Transaction } from 'kysely';
import type { ParsedDocument } from '../block.js';
import type { ChunkedParagraph } from '../chunk/index.js';
import { batchesOf } from '../paragraph-batches.js';
import { announce, lockDocument } from './documents.js';
import { parentOf } from './paragraph-pages.js';
import type { DocumentRow, IngestionTables, ParagraphRow } from './tables.js';

type Tx = Transaction<IngestionTables>;

export const factsOf = (row: Selectable<DocumentRow>): DocumentFacts => ({
  title: row.title,
  contentType: row.content_type,
  language: row.language,
  sourceType: row.source_type,
  sourceId: row.source_id,
  collection: row.collection,
  createdAt: row.created_at?.toISOString() ?? null,
  addedAt: row.added_at.toISOString(),
  metadata: row.metadata,
  ...(row.reference && { reference: true as const }),
});

/** Keeps what a parser made of some bytes, for every document of the tenant that has them. */
export const keepParse = async (
  tx: Tx,
  tenant: TenantId,
  blobHash: string,
  parser: string,
  parsed: ParsedDocument,
): Promise<void> => {
  const row = {
    parser,
    content_type: parsed.contentType,
    title: parsed.title,
    language: parsed.language,
    created_at: parsed.createdAt,
    metadata: JSON.stringify(parsed.metadata),
    text: parsed.text,
    blocks: JSON.stringify(parsed.blocks),
    page_starts: parsed.pageStarts ? JSON.stringify(parsed.pageStarts) : null,
  };
  const blob = await tx.selectFrom('blobs').select('state').where('hash', '=', blobHash).forUpdate().executeTakeFirst();
  if (blob?.state !== 'live') return; // erased while it was read
  await tx
    .insertInto('parses')
    .values({ tenant, blob_hash: blobHash, ...row })
    .onConflict((conflict) => conflict.columns(['tenant', 'blob_hash']).doUpdateSet(row))
    .execute();
};

/** Stores a version's paragraphs and gives them out; its row. Null, and nothing done, where a newer one came in meanwhile. */
export const storeParagraphs = async (
  tx: Tx,
  tenant: TenantId,
  document: { id: string; version: number },
  parsed: ParsedDocument,
  { chunks, cut }: { chunks: readonly ChunkedParagraph[]; cut: string },
  now: Date,
): Promise<Selectable<DocumentRow> | null> => {
  const row = await lockDocument(tx, document.id);
  if (!row || row.version !== document.version || row.status === 'DELETED') return null;
  const found = row.reference ? { title: null, metadata: {} } : parsed;
  await tx
    .updateTable('documents')
    .set({
      title: row.given.title ?? found.title ?? row.name,
      content_type: parsed.contentType,
      language: parsed.language,
      created_at: row.given.createdAt ?? parsed.createdAt,
      metadata: JSON.stringify({ ...found.metadata, ...row.given.metadata }),
      status: 'PARSED',
      cut,
      failure: null,
      progressed_at: now,
    })
    .where('id', '=', row.id)
    .execute();
  const before = await paragraphIds(tx, row.id, row.active_version);
  await tx.deleteFrom('paragraphs').where('document', '=', row.id).where('version', '=', row.version).execute();
  const read = withIds(row.id, chunks, before);
  const paragraphs = row.reference ? read.map((one) => ({ ...one, text: '', trail: [] })) : read;
  for (let i = 0; i < paragraphs.length; i += 200)
    await tx
      .insertInto('paragraphs')
      .values(paragraphs.slice(i, i + 200).map((paragraph) => rowOf(tenant, row.id, row.version, paragraph)))
      .execute();
  await giveOut(tx, tenant, row.id, paragraphs);
  await publish(tx, tenant, 'document.progressed', { document: row.id, version: row.version });
  return row;
};

const paragraphIds = async (tx: Tx, document: string, version: number | null): Promise<Set<string>> => {
  if (version === null) return new Set();
  const rows = await tx
    .selectFrom('paragraphs')
    .select('id')
    .where('document', '=', document)
    .where('version', '=', version)
    .execute();
  return new Set(rows.map((row) => row.id));
};

const withIds = (document: string, chunks: readonly ChunkedParagraph[], before: Set<string>): ParsedParagraph[] => {
  const seen = new Map<string, number>();
  return chunks.map((chunk) => {
    const textHash = hashOf(chunk.text);
    const occurrence = seen.get(textHash) ?? 0;
    seen.set(textHash, occurrence + 1);
    const id = paragraphId(document, textHash, occurrence);
    return { ...chunk, id, textHash, unchanged: before.has(id) };
  });
};

const rowOf = (tenant: TenantId, document: string, version: number, paragraph: ParsedParagraph) => ({
  tenant,
  document,
  version,
  id: paragraph.id,
  position: paragraph.position,
  page: paragraph.page,
  start_at: paragraph.start,
  end_at: paragraph.end,
  parent_start: paragraph.parent?.start ?? null,
  parent_end: paragraph.parent?.end ?? null,
  trail: JSON.stringify(paragraph.trail),
  kind: paragraph.kind,
  language: paragraph.language,
  text_hash: paragraph.textHash,
  text: paragraph.text,
  unchanged: paragraph.unchanged,
});

export const parsedParagraphOf = (row: Selectable<ParagraphRow>): ParsedParagraph => ({
  id: row.id,
  textHash: row.text_hash,
  text: row.text,
  kind: row.kind,
  position: row.position,
  page: row.page,
  start: row.start_at,
  end: row.end_at,
  trail: row.trail,
  language: row.language,
  parent: parentOf(row) ?? undefined,
  unchanged: row.unchanged,
});

/** Publishes paragraphs of the document's newest version in batches; `all` gives neighbours to those on the edges. */
export const giveOut = async (
  tx: Tx,
  tenant: TenantId,
  document: string,
  paragraphs: readonly ParsedParagraph[],
): Promise<void> => {
  const row = await lockDocument(tx, document);
  if (!row) return;
  for (const batch of batchesOf(paragraphs))
    await publish(tx, tenant, 'paragraphs.parsed', {
      document,
      version: row.version,
      facts: factsOf(row),
      lane: row.lane,
      active: row.active_version === null,
      ...batch,
    });
};

export const failDocument = async (
  tx: Tx,
  tenant: TenantId,
  document: { id: string; version: number },
  failure: { code: string; message: string; next: string },
  now: Date,
): Promise<void> => {
  const row = await lockDocument(tx, document.id);
  if (!row || row.version !== document.version || row.status === 'DELETED') return;
  await tx
    .updateTable('documents')
    .set({ status: 'FAILED', failure: JSON.stringify(failure), progressed_at: now })
    .where('id', '=', row.id)
    .execute();
  await announce(tx, tenant, row.id, 'public.document.failed');
};
