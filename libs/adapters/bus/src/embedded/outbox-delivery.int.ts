import { afterAll } from 'vitest';
import { openMemoryDatabase } from '@postmaster/database';
import { databaseOf, outboxBell, processBell } from '@postmaster/durable';
import { busContract, busRows } from '@postmaster/testing/suites';
import { sql } from 'kysely';
import { outboxDelivery } from '../index.js';

const memory = await openMemoryDatabase([busRows]);
const db = databaseOf<unknown>(memory.kysely, busRows.schema);
afterAll(() => memory.close());

busContract('the outbox delivery', async () => {
  const delivery = outboxDelivery({ services: { [busRows.schema]: db } });
  return {
    ...{ db, delivery, changes: delivery },
    hurry: async () => {
      await db.asSystem((tx) => sql`update outbox set available_at = now()`.execute(tx));
      processBell.ring(outboxBell(busRows.schema));
    },
    close: async () => {
      await delivery.stop();
      await db.asSystem(async (tx) => {
        for (const table of ['outbox', 'inbox', 'dead_letters']) await sql`delete from ${sql.table(table)}`.execute(tx);
      });
    },
  };
});
