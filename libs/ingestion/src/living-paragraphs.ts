import { livingParagraphs, type Requests } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { IngestionTables } from './rows/tables.js';

/** Tells retrieval which paragraphs are still there: those of a document's active version. */
export const answerLivingParagraphs = (requests: Requests, db: Database<IngestionTables>): void =>
  requests.answer(livingParagraphs, ({ tenant }, { ids }) =>
    db.asTenant(tenant, async (tx) => {
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
      return { living: [...new Set(rows.map((row) => row.id))] };
    }),
  );
