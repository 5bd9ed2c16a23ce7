import { type Selectable, sql, type Transaction } from 'kysely';
import type { ChangedParagraph, VersionChanges } from '../document.js';
import type { DocumentRow, IngestionTables } from './tables.js';

type Tx = Transaction<IngestionTables>;

const MOST_TOLD = 100;
const LETTERS = 300;

/** What a version changes of the one that answers so far, whose paragraphs are still there; null for the first one. */
export const changesBy = async (
  tx: Tx,
  { id, active_version: from }: Selectable<DocumentRow>,
  to: number,
): Promise<VersionChanges | null> => {
  if (from === null) return null;
  const [added, removed] = [await onlyIn(tx, id, to, from), await onlyIn(tx, id, from, to)];
  const { count } = await tx
    .selectFrom('paragraphs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('document', '=', id)
    .where('version', '=', to)
    .executeTakeFirstOrThrow();
  return {
    ...{ from, to, unchanged: Number(count) - added.count },
    ...{ addedCount: added.count, added: added.first, removedCount: removed.count, removed: removed.first },
  };
};

/** Paragraphs keep their ids while their text lasts. */
const onlyIn = async (
  tx: Tx,
  document: string,
  version: number,
  other: number,
): Promise<{ count: number; first: ChangedParagraph[] }> => {
  const rows = await tx
    .selectFrom('paragraphs as p')
    .select(['p.id', 'p.position', sql<string | null>`nullif(left(p.text, ${LETTERS}::int), '')`.as('text')])
    .select(sql<string>`count(*) over ()`.as('count'))
    .where('p.document', '=', document)
    .where('p.version', '=', version)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('paragraphs as o')
            .select('o.id')
            .where('o.document', '=', document)
            .where('o.version', '=', other)
            .whereRef('o.id', '=', 'p.id'),
        ),
      ),
    )
    .orderBy('p.position')
    .limit(MOST_TOLD)
    .execute();
  return { count: Number(rows[0]?.count ?? 0), first: rows.map(({ count: _, ...paragraph }) => paragraph) };
};
