import { type DomainEvent, type Failure, type Lane, MAX_DELIVERIES, newId, type TenantId } from '@postmaster/contracts';
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

/** Whose dead letters a message becomes that names no tenant. No tenant's id can be this one. */
export const SYSTEM_TENANT = '_system' as TenantId; // a TenantId has no underscore, which is the point

/** Buries an event that a consumer kept refusing; its own service's table keeps it whole. */
export const buryEvent = (
  db: Database<unknown>,
  event: DomainEvent,
  consumer: string,
  why: Failure,
): Promise<unknown> =>
  db.asSystem(async (tx) => {
    await sql`insert into dead_letters (id, tenant, source, name, key, failure, event)
              values (${newId()}, ${event.tenant}, 'event', ${consumer}, ${event.id}, ${JSON.stringify(why)},
                      ${JSON.stringify(event)})
              on conflict (tenant, source, name, key) do nothing`.execute(tx);
    await sql`delete from inbox where event = ${event.id} and consumer = any(${failureRows(consumer)})`.execute(tx);
  });

/** What came over the bus and is no event of ours. */
export interface ReceivedMessage {
  /** Of its subject; SYSTEM_TENANT where that names none. */
  tenant: TenantId;
  /** Unique among the messages: where and when the bus kept it. */
  key: string;
  subject: string;
  bytes: number;
  /** Its beginning, as text. */
  text: string;
}

/** Keeps what can't be read as an event, with the reason. It is shown and never sent again: there is no event to send. */
export const buryMessage = (
  db: Database<unknown>,
  { tenant, key, ...message }: ReceivedMessage,
  consumer: string,
  why: Failure,
): Promise<unknown> =>
  db.asSystem((tx) =>
    sql`insert into dead_letters (id, tenant, source, name, key, failure, event)
        values (${newId()}, ${tenant}, 'event', ${consumer}, ${key}, ${JSON.stringify(why)}, ${JSON.stringify(message)})
        on conflict (tenant, source, name, key) do nothing`.execute(tx),
  );

/** A consumer's inbox rows "<consumer>#1", "#2" … count the times that it threw for an event. */
const failureRows = (consumer: string): string[] =>
  Array.from({ length: MAX_DELIVERIES }, (_, i) => `${consumer}#${i + 1}`);

/**
 * Counts a throw of this consumer for this event and gives their number so far. Kept beside the inbox, and not taken
 * from the broker's deliveries: it outlasts a restart, is one count for all replicas, and an outage does not add to it.
 */
export const countFailure = (db: Database<unknown>, event: DomainEvent, consumer: string): Promise<number> =>
  db.asSystem(async (tx) => {
    const earlier = sql`from inbox where event = ${event.id} and consumer = any(${failureRows(consumer)})`;
    await sql`insert into inbox (consumer, event, tenant)
              select ${consumer} || '#' || count(*) + 1, ${event.id}, ${event.tenant} ${earlier}
              on conflict do nothing`.execute(tx); // two replicas at the same moment count as one
    const { rows } = await sql<{ count: number }>`select count(*)::int as count ${earlier}`.execute(tx);
    return rows[0]?.count ?? 0;
  });

interface Revived {
  source: 'job' | 'event';
  name: string;
  key: string;
  document: string;
  version: number;
  lane: Lane;
  event: DomainEvent | null;
}

/**
 * Sends dead letters again: a job starts afresh with all its attempts; an event goes into this service's outbox, whoever
 * told it first, and reaches all its consumers, of which those that had it take no notice. What was never an event stays.
 */
export const revive = async (
  tx: QueryExecutorProvider,
  tenant: TenantId,
  which: { ids?: readonly string[]; document?: string },
): Promise<number> => {
  const { rows } = await sql<Revived>`
    delete from dead_letters
    where tenant = ${tenant} and (id = any(${which.ids ?? []}::uuid[]) or document = ${which.document ?? null})
      and (source = 'job' or event ->> 'id' is not null)
    returning source, name, key, document, version, lane, event`.execute(tx);
  const jobs = rows.filter((row) => row.source === 'job').map((row) => ({ ...row, kind: row.name }));
  await enqueue(tx, tenant, jobs);
  const events = new Map(rows.flatMap(({ event }) => (event ? [[event.id, event]] : [])));
  if (events.size > 0)
    await sql`
      insert into outbox (id, tenant, type, data, created_at, trace)
      select e.id, ${tenant}, e.type, e.data, e.time, e.traceparent
      from json_to_recordset(${JSON.stringify([...events.values()])}::json)
        as e(id uuid, type text, data json, time timestamptz, traceparent text)
      on conflict (id) do update set published_at = null, attempts = 0, available_at = now()`.execute(tx);
  return rows.length;
};
