import { type Failure, isId, type TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { Document, Paragraph, StageCounts } from './document.js';
import type { FileReference } from './folders/folder.js';
import { readDocument, readParagraphTexts, type TextPorts } from './folders/paragraph-texts.js';
import { type ParentText, readParentTexts } from './parent-texts.js';
import { type DocumentFilter, type DocumentOrder, type Page, pageOfDocuments } from './rows/document-pages.js';
import { documentOf, goneFailure } from './rows/documents.js';
import { paragraphOf, pageOfParagraphs } from './rows/paragraph-pages.js';
import { countStages, failuresOf } from './rows/progress.js';
import { type SourceFile, sourceOf } from './rows/sources.js';
import type { IngestionTables } from './rows/tables.js';

export interface PageRequest {
  first: number;
  after?: string;
}

export interface PlainText {
  text: string;
  title: string;
  version: number;
}

export interface Original {
  hash: string;
  size: number;
  contentType: string;
  name: string;
  version: number;
  /** Where the bytes stand, where they are not stored. */
  source?: SourceFile;
}

/** Reads of documents and paragraphs; what is deleted is not there. */
export interface DocumentReads {
  document(tenant: TenantId, id: string): Promise<Document | null>;
  documents(tenant: TenantId, page: PageRequest, filter: DocumentFilter, order: DocumentOrder): Promise<Page<Document>>;
  paragraphs(tenant: TenantId, document: string, version: number, page: PageRequest): Promise<Page<Paragraph>>;
  /** In the order of the ids; null for one that is gone. A text is null where its file is gone or has changed. */
  paragraphsById(tenant: TenantId, ids: readonly string[]): Promise<(Paragraph | null)[]>;
  /** Of paragraphs that are parts of a larger passage, that one. */
  parentTexts(tenant: TenantId, ids: readonly string[]): Promise<ParentText[]>;
  progress(tenant: TenantId, document: string, version: number): Promise<StageCounts>;
  degraded(tenant: TenantId, document: string, version: number): Promise<Failure[]>;
  /** The text that offsets count in; null where the document is not there or not read. Throws SOURCE_GONE, SOURCE_CHANGED. */
  plainText(tenant: TenantId, document: string): Promise<PlainText | null>;
  /** Where the bytes are that were taken in, of the version that answers; null where the document is not there. */
  original(tenant: TenantId, document: string): Promise<Original | null>;
}

export const documentReads = (texts: TextPorts, db = texts.db): DocumentReads => ({
  document: (tenant, id) =>
    db.asTenant(tenant, async (tx) => {
      if (!isId(id)) return null;
      const row = await tx
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', id)
        .where('status', '<>', 'DELETED')
        .executeTakeFirst();
      return row ? documentOf(row) : null;
    }),
  documents: (tenant, page, filter, order) => db.asTenant(tenant, (tx) => pageOfDocuments(tx, page, filter, order)),
  paragraphs: async (tenant, document, version, page) => {
    const found = await db.asTenant(tenant, (tx) => pageOfParagraphs(tx, document, version, page));
    const filled = await withTexts(
      texts,
      tenant,
      found.items.map(({ node }) => node),
    );
    return { ...found, items: found.items.map(({ cursor }, i) => ({ cursor, node: filled[i]! })) };
  },
  paragraphsById: async (tenant, ids) => {
    const found = await db.asTenant(tenant, async (tx) => {
      const rows = await tx
        .selectFrom('paragraphs')
        .innerJoin('documents', (join) =>
          join.onRef('documents.id', '=', 'paragraphs.document').onRef('documents.tenant', '=', 'paragraphs.tenant'),
        )
        .selectAll('paragraphs')
        .where('paragraphs.id', 'in', [...ids, ''])
        .where('documents.status', '<>', 'DELETED')
        .orderBy('paragraphs.version')
        .execute();
      return [...new Map(rows.map((row) => [row.id, paragraphOf(row)])).values()];
    });
    const filled = new Map((await withTexts(texts, tenant, found)).map((one) => [one.id, one]));
    return ids.map((id) => filled.get(id) ?? null);
  },
  parentTexts: (tenant, ids) => readParentTexts(texts, tenant, ids),
  progress: (tenant, document, version) => db.asTenant(tenant, (tx) => countStages(tx, document, version)),
  degraded: (tenant, document, version) =>
    db.asTenant(tenant, async (tx) => [
      ...(await failuresOf(tx, document, version, 'text')),
      ...(await failuresOf(tx, document, version, 'facets')),
      ...(await goneOf(tx, document)),
    ]),
  plainText: async (tenant, document) => {
    if (!isId(document)) return null;
    const row = await db.asTenant(tenant, (tx) => readVersion(tx, document));
    if (!row?.reference) return row?.text == null ? null : { text: row.text, title: row.title, version: row.version };
    const { text } = await readDocument(texts, tenant, row as typeof row & { reference: FileReference }); // as was just seen
    return { text, title: row.title, version: row.version };
  },
  original: (tenant, document) =>
    db.asTenant(tenant, async (tx) => {
      const row = isId(document) ? await readVersion(tx, document) : undefined;
      if (!row) return null;
      const { hash, contentType, name, version } = row;
      const source = await sourceOf(tx, { ...row, blob_hash: row.newest });
      const size = source?.size ?? row.bytes;
      return size === null ? null : { hash, size: Number(size), contentType, name, version, ...(source && { source }) };
    }),
});

interface VersionRow {
  hash: string;
  newest: string;
  name: string;
  title: string;
  version: number;
  contentType: string;
  reference: FileReference | null;
  /** Null where it is not read, or not stored. */
  text: string | null;
  /** Null where they are not stored. */
  bytes: string | null;
}

/** The version that answers, or the first that will, with what is stored of it. */
const readVersion = async (tx: Transaction<IngestionTables>, id: string): Promise<VersionRow | undefined> => {
  const { rows } = await sql<VersionRow>`
    select coalesce(d.active_blob_hash, d.blob_hash) as hash, d.blob_hash as newest, d.name, d.title, d.version,
      d.content_type as "contentType", d.reference, t.text, b.bytes::text as bytes
    from documents d
    left join parses t on t.tenant = d.tenant and t.blob_hash = coalesce(d.active_blob_hash, d.blob_hash)
    left join blobs b on b.tenant = d.tenant and b.hash = coalesce(d.active_blob_hash, d.blob_hash)
    where d.id = ${id} and d.status <> 'DELETED'`.execute(tx);
  return rows[0];
};

/** Readers of the API wait no longer for a file. */
const PATIENCE_MS = 10_000;

/** Fills in what is read from files. */
const withTexts = async (
  texts: TextPorts,
  tenant: TenantId,
  paragraphs: readonly Paragraph[],
): Promise<readonly Paragraph[]> => {
  const ids = paragraphs.filter(({ text }) => text === null).map(({ id }) => id);
  if (ids.length === 0) return paragraphs;
  const read = await readParagraphTexts(texts)(tenant, ids, PATIENCE_MS);
  const found = new Map(read.texts.map((one) => [one.id, one]));
  return paragraphs.map((paragraph) => {
    const { text, trail } = found.get(paragraph.id) ?? paragraph;
    return { ...paragraph, text, trail };
  });
};

const goneOf = async (tx: Transaction<IngestionTables>, id: string): Promise<Failure[]> => {
  const row = await tx.selectFrom('documents').select(['name', 'gone_at']).where('id', '=', id).executeTakeFirst();
  return row?.gone_at ? [goneFailure(row.name)] : [];
};
