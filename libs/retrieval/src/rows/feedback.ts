import type { TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { RetrievalTables, StoredFeedback } from './tables.js';

type Tx = Transaction<RetrievalTables>;

/** False where one of its documents has been deleted. */
export const addFeedback = async (tx: Tx, row: StoredFeedback): Promise<boolean> => {
  for (const document of [...row.documents].sort())
    if ((await lock(tx, row.tenant, document, false)).deleted) return false;
  await tx.insertInto('feedback').values(row).execute();
  return true;
};

/** All that speaks of a document goes, and nothing of it is taken in any more. */
export const eraseFeedback = async (tx: Tx, tenant: TenantId, document: string): Promise<void> => {
  await lock(tx, tenant, document, true);
  await tx
    .deleteFrom('feedback')
    .where(sql<boolean>`documents @> ${[document]}::text[]`)
    .execute();
};

const lock = (tx: Tx, tenant: TenantId, document: string, deleted: boolean): Promise<{ deleted: boolean }> =>
  tx
    .insertInto('documents')
    .values({ tenant, document, deleted })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'document']).doUpdateSet({ deleted: sql`documents.deleted or excluded.deleted` }),
    )
    .returning('deleted')
    .executeTakeFirstOrThrow();

/** The feedback on the next questions after one, in the order of their texts; of each question the oldest first. */
export const readFeedback = (tx: Tx, after: string, questions: number): Promise<StoredFeedback[]> =>
  tx
    .selectFrom('feedback')
    .selectAll()
    .where('query', 'in', (from) =>
      from
        .selectFrom('feedback')
        .select('query')
        .distinct()
        .where('query', '>', after)
        .orderBy('query')
        .limit(questions),
    )
    .orderBy('query')
    .orderBy('given_at')
    .orderBy('id')
    .execute();
