import type { Chunking, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { Block, ParsedDocument } from '../block.js';
import { sizeOfTree } from './attachments.js';
import { type SourceFile, sourceOf } from './sources.js';
import type { IngestionTables } from './tables.js';

export interface ToParse {
  blobHash: string;
  name: string;
  declaredType?: string;
  /** As its uploader wants it cut; null: as the tenant does. */
  chunking: Chunking | null;
  /** How many mails or archives it lies in. */
  depth: number;
  /** What else was found in the outermost of them. */
  tree: { files: number; bytes: number };
  /** Made before from the same bytes in the same way. */
  parsed?: ParsedDocument;
  /** Where its bytes stand, where they are not stored. */
  source?: SourceFile;
}

/** What there is to read for this version; undefined where it is no longer the newest, or deleted. */
export const readForParsing = (
  db: Database<IngestionTables>,
  tenant: TenantId,
  { id, version }: { id: string; version: number },
  parser: string,
): Promise<ToParse | undefined> =>
  db.asTenant(tenant, async (tx) => {
    const row = await tx.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row?.blob_hash || row.version !== version || row.status === 'DELETED') return undefined;
    const parse = await tx
      .selectFrom('parses')
      .selectAll()
      .where('blob_hash', '=', row.blob_hash)
      .where('parser', '=', parser)
      .executeTakeFirst();
    return {
      source: await sourceOf(tx, row),
      depth: row.depth,
      tree: row.root === null ? { files: 0, bytes: 0 } : await sizeOfTree(tx, row.root, row.id),
      blobHash: row.blob_hash,
      name: row.name,
      declaredType: row.declared_type ?? undefined,
      chunking: row.chunking,
      parsed: parse && {
        contentType: parse.content_type,
        title: parse.title,
        language: parse.language,
        createdAt: parse.created_at?.toISOString() ?? null,
        metadata: parse.metadata,
        text: parse.text,
        blocks: parse.blocks as Block[], // written by keepParse from the same type
        ...(parse.page_starts && { pageStarts: parse.page_starts }),
      },
    };
  });
