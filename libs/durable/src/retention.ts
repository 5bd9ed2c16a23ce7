import { sql } from 'kysely';
import type { Database } from './database.js';

/** Delivered events stay 7 days, inbox rows a day longer, so that what is given out anew is still known. */
export const sweepDelivered = (db: Database<unknown>, outboxDays = 7): Promise<unknown> =>
  db.asSystem(async (tx) => {
    await sql`delete from outbox where published_at < now() - ${outboxDays} * interval '1 day'`.execute(tx);
    await sql`delete from inbox where at < now() - ${outboxDays + 1} * interval '1 day'`.execute(tx);
  });
