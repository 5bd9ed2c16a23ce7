import type { Consumer } from '@postmaster/contracts';
import { type Database, once } from '@postmaster/durable';
import { follow, markFailed, markIndexed } from './rows/progress.js';
import type { IngestionTables } from './rows/tables.js';

/** Follows a document by what becomes of its paragraphs. Safe to run again, late, or out of order. */
export const followDocument = ({
  db,
  now,
}: {
  db: Database<IngestionTables>;
  now: () => Date;
}): Consumer<'paragraphs.indexed' | 'paragraphs.failed'> => ({
  name: 'ingestion.follow',
  types: ['paragraphs.indexed', 'paragraphs.failed'],
  handle: (event) =>
    once(db, 'ingestion.follow', event, async (tx) => {
      let repaired = false;
      if (event.type === 'paragraphs.indexed') repaired = await markIndexed(tx, event.data);
      else await markFailed(tx, event.data);
      await follow(tx, event.tenant, event.data, now(), repaired);
    }),
});
