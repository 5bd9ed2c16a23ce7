import { isId, livingParagraphs, readSummaryId, type Requests } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import type { IngestionTables } from './rows/tables.js';

type Tx = Transaction<IngestionTables>;

/** Tells retrieval which paragraphs and summaries are still there: those of a document's active version. */
export const answerLivingParagraphs = (requests: Requests, db: Database<IngestionTables>): void =>
  requests.answer(livingParagraphs, ({ tenant }, { ids }) =>
    db.asTenant(tenant, async (tx) => ({
      living: [...(await paragraphsOf(tx, ids)), ...(await summariesOf(tx, ids))],
    })),
  );

const paragraphsOf = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('paragraphs')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', 'paragraphs.document').onRef('documents.tenant', '=', 'paragraphs.tenant'),
    )
    .select('paragraphs.id')
    .where('paragraphs.id', 'in', [...ids, ''])
    .where('documents.status', '<>', 'DELETED')
    .where((eb) =>
      eb.or([
        eb('documents.active_version', 'is', null),
        eb('documents.active_version', '=', eb.ref('paragraphs.version')),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.id));
};

/** No row of this service knows them: their ids name document and version. */
const summariesOf = async (tx: Tx, ids: readonly string[]): Promise<string[]> => {
  const asked = ids.flatMap((id) => {
    const of = readSummaryId(id);
    return of && isId(of.document) ? [{ id, ...of }] : [];
  });
  if (asked.length === 0) return [];
  const rows = await tx
    .selectFrom('documents')
    .select(['id', 'active_version as active'])
    .where(
      'id',
      'in',
      asked.map(({ document }) => document),
    )
    .where('status', '<>', 'DELETED')
    .execute();
  const active = new Map(rows.map((row) => [row.id, row.active]));
  return asked
    .filter(({ document, version }) => active.has(document) && [null, version].includes(active.get(document) ?? null))
    .map(({ id }) => id);
};
