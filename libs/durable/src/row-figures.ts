import type { Lane } from '@postmaster/contracts';
import { sql } from 'kysely';
import type { Database } from './database.js';

/** What waits in a service's rows. */
export interface RowFigures {
  /** Jobs asked for and not yet done, those in hand included. */
  jobs: { kind: string; lane: Lane; count: number; oldestSeconds: number }[];
  /** Events that have not gone out, and how long the oldest has waited. */
  outbox: { count: number; oldestSeconds: number };
  deadLetters: { source: 'job' | 'event'; name: string; count: number }[];
}

/** Counts a service's waiting work, in one statement of one short transaction. Reads every waiting job: not for hot paths. */
export const rowFigures = (db: Database<unknown>): Promise<RowFigures> =>
  db.asSystem(async (tx) => {
    const { rows } = await sql<RowFigures>`
      select
        (select coalesce(json_agg(j), '[]') from (
          select kind, lane, count(*)::int as count, ${age(sql`min(created_at)`)} as "oldestSeconds"
          from jobs group by kind, lane) j) as jobs,
        (select json_build_object('count', count(*)::int, 'oldestSeconds', ${age(sql`min(created_at)`)})
          from outbox where published_at is null) as outbox,
        (select coalesce(json_agg(d), '[]') from (
          select source, name, count(*)::int as count from dead_letters group by source, name) d) as "deadLetters"`.execute(
      tx,
    );
    return rows[0] ?? { jobs: [], outbox: { count: 0, oldestSeconds: 0 }, deadLetters: [] };
  });

/** Seconds since then; 0 for what is not there. */
const age = (since: ReturnType<typeof sql>): ReturnType<typeof sql> =>
  sql`coalesce(extract(epoch from clock_timestamp() - ${since}), 0)::float`;
