import type { DocumentFacts, Facets, PointPayload, Scalar } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { Target } from './indexes.js';
import { columnsOf, type Marks, marksIn } from './marks.js';
import type { EmbeddingTables } from './tables.js';

type Tx = Transaction<EmbeddingTables>;

/** What one point is to be. */
export interface Projection {
  id: string;
  document: string;
  version: number;
  revision: string;
  /** The point is to go. */
  erased: boolean;
  payload: PointPayload;
  /** The text, where the row has none and it was read for this. */
  words?: string;
  facets: Facets | null;
  facetsRevision: number;
  textHash: string;
  /** What of it is in an index; nulls for what is not. */
  written(index: Pick<Target, 'slot' | 'mark'>): Marks;
}

export const readProjections = async (tx: Tx, ids: readonly string[]): Promise<Projection[]> => {
  const rows = await tx
    .selectFrom('paragraphs')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', 'paragraphs.document').onRef('documents.tenant', '=', 'paragraphs.tenant'),
    )
    .leftJoin('metadata', (join) =>
      join.onRef('metadata.document', '=', 'paragraphs.document').onRef('metadata.tenant', '=', 'paragraphs.tenant'),
    )
    .selectAll('paragraphs')
    .select(['documents.facts', 'metadata.values', 'metadata.dated'])
    .where('paragraphs.id', '=', sql<string>`any(${ids})`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    document: row.document,
    version: row.version,
    revision: row.revision,
    erased: row.erased,
    facets: row.facets,
    facetsRevision: row.facets_revision,
    textHash: row.text_hash,
    written: (index) => marksIn(row, index),
    payload: payloadOf(row, withMetadata(row.facts, row)),
  }));
};

/** What was given at upload counts before what was extracted; the day that a document bears, before that of its file. */
const withMetadata = (
  facts: DocumentFacts,
  { values, dated }: { values: Readonly<Record<string, Scalar>> | null; dated: string | null },
): DocumentFacts => ({
  ...facts,
  metadata: { ...values, ...facts.metadata },
  createdAt: dated ? `${dated}T00:00:00.000Z` : facts.createdAt,
});

const payloadOf = (
  row: {
    document: string;
    version: number;
    active: boolean;
    position: number;
    page: number | null;
    start_at: number;
    end_at: number;
    trail: string[];
    text: string;
    facets: Facets | null;
  },
  facts: DocumentFacts,
): PointPayload => ({
  ...facts,
  document: row.document,
  version: row.version,
  active: row.active,
  position: row.position,
  page: row.page,
  start: row.start_at,
  end: row.end_at,
  trail: row.trail,
  text: row.text,
  simpleQuestions: row.facets?.simpleQuestions.map((question) => question.text) ?? [],
  complexQuestions: row.facets?.complexQuestions.map((question) => question.text) ?? [],
  context: row.facets?.context ?? '',
  scope: row.facets?.scope ?? '',
});

export interface Written {
  id: string;
  revision: string;
  /** Absent parts were not written now and stay as they were noted. */
  text?: string;
  facets?: number;
  windows?: number;
}

/** Notes what was written; returns the ids whose row did not move meanwhile. The others are to be projected again. */
export const noteWritten = async (tx: Tx, target: Target, written: readonly Written[]): Promise<Set<string>> => {
  const { index, text, facets, windows, at } = columnsOf(target);
  const { rows } = await sql<{ id: string; unmoved: boolean }>`
    update paragraphs as p set
      ${text} = coalesce(w.text, case when p.${index} = ${target.mark} then p.${text} end),
      ${facets} = coalesce(w.facets, case when p.${index} = ${target.mark} then p.${facets} end),
      ${windows} = greatest(coalesce(w.windows, 1), case when w.text is null then p.${windows} else 1 end),
      ${index} = ${target.mark}, ${at} = now()
    from json_to_recordset(${JSON.stringify(written)}::json) as w(id text, revision bigint, text text, facets int, windows int)
    where p.id = w.id
    returning p.id, p.revision = w.revision as unmoved`.execute(tx);
  return new Set(rows.filter((row) => row.unmoved).map((row) => row.id));
};

/** Removes the rows whose points are gone. */
export const dropErased = (tx: Tx, gone: readonly { id: string; revision: string }[]): Promise<unknown> =>
  sql`delete from paragraphs using json_to_recordset(${JSON.stringify(gone)}::json) as g(id text, revision bigint)
      where paragraphs.id = g.id and paragraphs.revision = g.revision and erased`.execute(tx);
