import { type DomainEvent, type Failure, type Lane, newId, type TenantId } from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './database.js';
import { enqueue } from './jobs.js';

export interface DeadLetter {
  id: string;
  tenant: TenantId;
  source: 'job' | 'event';
  /** The job's kind, or the consumer that could not handle the event. */
  name: string;
  key: string;
  document: string | null;
  failure: Failure;
  at: Date;
}

export const listDeadLetters = (db: Database<unknown>, tenant: TenantId, limit = 100): Promise<DeadLetter[]> =>
  db.asTenant(tenant, async (tx) => {
    const { rows } = await sql<DeadLetter>`
      select id, tenant, source, name, key, document, failure, at from dead_letters order by at desc limit ${limit}`.execute(
      tx,
    );
    return rows;
  });

/** Buries an event that a consumer kept refusing; its own service's table keeps it whole. */
export const buryEvent = (
  db: Database<unknown>,
  event: DomainEvent,
  consumer: string,
  why: Failure,
): Promise<unknown> =>
  db.asSystem((tx) =>
    sql`insert into dead_letters (id, tenant, source, name, key, failure, event)
        values (${newId()}, ${event.tenant}, 'event', ${consumer}, ${event.id}, ${JSON.stringify(why)},
                ${JSON.stringify(event)})
        on conflict (tenant, source, name, key) do nothing`.execute(tx),
  );

interface Revived {
  source: 'job' | 'event';
  name: string;
  key: string;
  document: string;
  version: number;
  lane: Lane;
}

/** Sends dead letters again: a job starts afresh with all its attempts, an event goes back to the outbox. */
export const revive = async (
  tx: QueryExecutorProvider,
  tenant: TenantId,
  which: { ids?: readonly string[]; document?: string },
): Promise<number> => {
  const { rows } = await sql<Revived>`
    delete from dead_letters
    where tenant = ${tenant} and (id = any(${which.ids ?? []}::uuid[]) or document = ${which.document ?? null})
    returning source, name, key, document, version, lane`.execute(tx);
  const jobs = rows.filter((row) => row.source === 'job').map((row) => ({ ...row, kind: row.name }));
  await enqueue(tx, tenant, jobs);
  const events = rows.filter((row) => row.source === 'event').map((row) => row.key);
  if (events.length > 0)
    await sql`update outbox set published_at = null, attempts = 0, available_at = now()
              where id = any(${events}::uuid[])`.execute(tx);
  return rows.length;
};
