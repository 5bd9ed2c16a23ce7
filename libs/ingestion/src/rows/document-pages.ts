import { CodedError } from '@postmaster/contracts';
import { type ExpressionBuilder, type Expression, sql, type SqlBool, type Transaction } from 'kysely';
import type { Document, DocumentStatus } from '../document.js';
import { refuseZeros } from '../refuse-zeros.js';
import { documentOf } from './documents.js';
import type { IngestionTables } from './tables.js';

export interface DocumentFilter {
  ids?: readonly string[] | null;
  status?: readonly DocumentStatus[] | null;
  collection?: string | null;
  sourceType?: string | null;
  sourceId?: string | null;
  sourceIdPrefix?: string | null;
  contentType?: string | null;
  language?: string | null;
  titleContains?: string | null;
  addedFrom?: Date | string | null;
  addedTo?: Date | string | null;
}

export type DocumentOrder = 'ADDED_NEWEST' | 'ADDED_OLDEST' | 'TITLE_A_TO_Z' | 'TITLE_Z_TO_A';

export interface Page<T> {
  items: { cursor: string; node: T }[];
  hasNext: boolean;
  total: number;
}

const ORDERS = {
  ADDED_NEWEST: { by: sql<string>`added_at`, cast: sql`timestamptz`, direction: 'desc' },
  ADDED_OLDEST: { by: sql<string>`added_at`, cast: sql`timestamptz`, direction: 'asc' },
  TITLE_A_TO_Z: { by: sql<string>`lower(title)`, cast: sql`text`, direction: 'asc' },
  TITLE_Z_TO_A: { by: sql<string>`lower(title)`, cast: sql`text`, direction: 'desc' },
} as const;

/** A page of documents by their order and id; the cursor holds both of the last one. */
export const pageOfDocuments = async (
  tx: Transaction<IngestionTables>,
  { first, after }: { first: number; after?: string },
  filter: DocumentFilter,
  order: DocumentOrder,
): Promise<Page<Document>> => {
  const { by, cast, direction } = ORDERS[order];
  const fitting = tx.selectFrom('documents').where((eb) => eb.and(conditions(eb, filter)));
  let query = fitting.selectAll().select(sql<string>`${by}::text`.as('ordered_by'));
  if (after !== undefined) {
    const [key, id] = cursorParts(after);
    const past = direction === 'asc' ? sql`>` : sql`<`;
    query = query.where(sql<SqlBool>`(${by}, id) ${past} (${key}::${cast}, ${id}::uuid)`);
  }
  const rows = await query
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(first + 1)
    .execute();
  const { count } = await fitting.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow();
  return {
    items: rows.slice(0, first).map((row) => ({ cursor: cursorOf(row.ordered_by, row.id), node: documentOf(row) })),
    hasNext: rows.length > first,
    total: Number(count),
  };
};

export const conditions = (
  eb: ExpressionBuilder<IngestionTables, 'documents'>,
  filter: DocumentFilter,
): Expression<SqlBool>[] => {
  refuseZeros({ ...filter });
  const all: Expression<SqlBool>[] = [eb('status', '<>', 'DELETED')];
  if (filter.ids) all.push(sql<SqlBool>`id::text = any(${[...filter.ids]})`);
  if (filter.status) all.push(sql<SqlBool>`status = any(${[...filter.status]})`);
  if (filter.collection) all.push(eb('collection', '=', filter.collection));
  if (filter.sourceType) all.push(eb('source_type', '=', filter.sourceType));
  if (filter.sourceId) all.push(eb('source_id', '=', filter.sourceId));
  if (filter.sourceIdPrefix) all.push(sql<SqlBool>`starts_with(source_id, ${filter.sourceIdPrefix})`);
  if (filter.contentType) all.push(eb('content_type', '=', filter.contentType));
  if (filter.language) all.push(eb('language', '=', filter.language));
  if (filter.titleContains) all.push(sql<SqlBool>`strpos(lower(title), lower(${filter.titleContains})) > 0`);
  if (filter.addedFrom) all.push(sql<SqlBool>`added_at >= ${filter.addedFrom}::timestamptz`);
  if (filter.addedTo) all.push(sql<SqlBool>`added_at < ${filter.addedTo}::timestamptz`);
  return all;
};

const cursorOf = (key: string, id: string): string => Buffer.from(JSON.stringify([key, id])).toString('base64url');

const cursorParts = (cursor: string): [string, string] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts) && typeof parts[0] === 'string' && typeof parts[1] === 'string')
      return [parts[0], parts[1]];
  } catch {
    // falls through to the refusal
  }
  throw new CodedError('INPUT_INVALID', '"after" is not a cursor of this list.', { field: 'after' });
};
