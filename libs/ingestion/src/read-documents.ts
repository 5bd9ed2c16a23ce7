import type { Failure, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { Document, Paragraph, StageCounts } from './document.js';
import { type ParentText, readParentTexts } from './parent-texts.js';
import { type DocumentFilter, type DocumentOrder, type Page, pageOfDocuments } from './rows/document-pages.js';
import { documentOf } from './rows/documents.js';
import { paragraphOf, pageOfParagraphs } from './rows/paragraph-pages.js';
import { countStages, failuresOf } from './rows/progress.js';
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
}

/** Reads of documents and paragraphs; what is deleted is not there. */
export interface DocumentReads {
  document(tenant: TenantId, id: string): Promise<Document | null>;
  documents(tenant: TenantId, page: PageRequest, filter: DocumentFilter, order: DocumentOrder): Promise<Page<Document>>;
  paragraphs(tenant: TenantId, document: string, version: number, page: PageRequest): Promise<Page<Paragraph>>;
  /** In the order of the ids; null for one that is gone. */
  paragraphsById(tenant: TenantId, ids: readonly string[]): Promise<(Paragraph | null)[]>;
  /** Of paragraphs that are parts of a larger passage, that one. */
  parentTexts(tenant: TenantId, ids: readonly string[]): Promise<ParentText[]>;
  progress(tenant: TenantId, document: string, version: number): Promise<StageCounts>;
  degraded(tenant: TenantId, document: string, version: number): Promise<Failure[]>;
  /** The text that offsets count in; null where the document is not there or not read. */
  plainText(tenant: TenantId, document: string): Promise<PlainText | null>;
  /** Where the bytes are that were taken in, of the version that answers; null where the document is not there. */
  original(tenant: TenantId, document: string): Promise<Original | null>;
}

export const documentReads = (db: Database<IngestionTables>): DocumentReads => ({
  document: (tenant, id) =>
    db.asTenant(tenant, async (tx) => {
      if (!UUID.test(id)) return null;
      const row = await tx
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', id)
        .where('status', '<>', 'DELETED')
        .executeTakeFirst();
      return row ? documentOf(row) : null;
    }),
  documents: (tenant, page, filter, order) => db.asTenant(tenant, (tx) => pageOfDocuments(tx, page, filter, order)),
  paragraphs: (tenant, document, version, page) =>
    db.asTenant(tenant, (tx) => pageOfParagraphs(tx, document, version, page)),
  paragraphsById: (tenant, ids) =>
    db.asTenant(tenant, async (tx) => {
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
      const found = new Map(rows.map((row) => [row.id, paragraphOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    }),
  parentTexts: (tenant, ids) => readParentTexts(db, tenant, ids),
  progress: (tenant, document, version) => db.asTenant(tenant, (tx) => countStages(tx, document, version)),
  degraded: (tenant, document, version) =>
    db.asTenant(tenant, async (tx) => [
      ...(await failuresOf(tx, document, version, 'text')),
      ...(await failuresOf(tx, document, version, 'facets')),
    ]),
  plainText: (tenant, document) =>
    db.asTenant(tenant, async (tx) => {
      if (!UUID.test(document)) return null;
      const row = await tx
        .selectFrom('documents')
        .innerJoin('parses', (join) =>
          join
            .on((eb) =>
              eb('parses.blob_hash', '=', eb.fn.coalesce('documents.active_blob_hash', 'documents.blob_hash')),
            )
            .onRef('parses.tenant', '=', 'documents.tenant'),
        )
        .select(['parses.text', 'documents.title', 'documents.version'])
        .where('documents.id', '=', document)
        .where('documents.status', '<>', 'DELETED')
        .executeTakeFirst();
      return row ?? null;
    }),
  original: (tenant, document) =>
    db.asTenant(tenant, async (tx) => {
      if (!UUID.test(document)) return null;
      const row = await tx
        .selectFrom('documents')
        .innerJoin('blobs', (join) =>
          join
            .on((eb) => eb('blobs.hash', '=', eb.fn.coalesce('documents.active_blob_hash', 'documents.blob_hash')))
            .onRef('blobs.tenant', '=', 'documents.tenant'),
        )
        .select(['blobs.hash', 'blobs.bytes', 'documents.content_type', 'documents.name', 'documents.version'])
        .where('documents.id', '=', document)
        .where('documents.status', '<>', 'DELETED')
        .executeTakeFirst();
      if (!row) return null;
      const { hash, bytes, content_type: contentType, name, version } = row;
      return { hash, size: Number(bytes), contentType, name, version };
    }),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
