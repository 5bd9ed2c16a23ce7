import { sql } from 'kysely';
import type { Database } from './database.js';

/** Days that rows are kept which nothing waits for any more. */
export interface Retention {
  /** Delivered events; inbox rows a day longer, so that what is given out anew is still known. */
  outboxDays: number;
  /** Dead letters, from the last time that they failed. */
  deadLetterDays: number;
}

export const RETENTION: Retention = { outboxDays: 7, deadLetterDays: 90 };

/** Takes away what was delivered long ago, and what was given up so long ago that nobody will ask for it again. */
export const sweepDelivered = (
  db: Database<unknown>,
  { outboxDays, deadLetterDays }: Retention = RETENTION,
): Promise<unknown> =>
  db.asSystem(async (tx) => {
    const ago = (days: number) => sql`now() - ${days} * interval '1 day'`;
    await sql`delete from outbox where published_at < ${ago(outboxDays)}`.execute(tx);
    await sql`delete from inbox where at < ${ago(outboxDays + 1)}`.execute(tx);
    await sql`delete from closed_tenants where at < ${ago(outboxDays + 1)}`.execute(tx); // the bus names it no more
    await sql`delete from dead_letters where at < ${ago(deadLetterDays)}`.execute(tx);
  });
