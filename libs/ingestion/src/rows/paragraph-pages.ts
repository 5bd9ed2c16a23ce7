import type { Selectable, Transaction } from 'kysely';
import type { Paragraph } from '../document.js';
import type { Page } from './document-pages.js';
import type { IngestionTables, ParagraphRow } from './tables.js';

export const paragraphOf = (row: Selectable<ParagraphRow>): Paragraph => ({
  id: row.id,
  document: row.document,
  version: row.version,
  text: row.text === '' ? null : row.text, // no paragraph is empty: it is read from its file
  position: row.position,
  page: row.page,
  start: row.start_at,
  end: row.end_at,
  trail: row.trail,
  parent: parentOf(row),
});

export const parentOf = ({ parent_start: start, parent_end: end }: Selectable<ParagraphRow>) =>
  start === null || end === null ? null : { start, end };

/** A version's paragraphs in reading order; the cursor is the position. */
export const pageOfParagraphs = async (
  tx: Transaction<IngestionTables>,
  document: string,
  version: number,
  { first, after }: { first: number; after?: string },
): Promise<Page<Paragraph>> => {
  const from = after === undefined ? -1 : Number(after);
  const all = tx.selectFrom('paragraphs').where('document', '=', document).where('version', '=', version);
  const rows = await all
    .selectAll()
    .where('position', '>', Number.isInteger(from) ? from : -1)
    .orderBy('position')
    .limit(first + 1)
    .execute();
  const { count } = await all.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow();
  return {
    items: rows.slice(0, first).map((row) => ({ cursor: String(row.position), node: paragraphOf(row) })),
    hasNext: rows.length > first,
    total: Number(count),
  };
};
