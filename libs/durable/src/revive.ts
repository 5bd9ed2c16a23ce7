import type { DomainEvent, Lane, TenantId } from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import { outboxBell, processBell } from './bell.js';
import { afterCommit } from './database.js';
import type { ReceivedMessage } from './dead-letters.js';
import { enqueue } from './jobs.js';

/** What a dead letter of an event holds: the event, or what could not be read as one. */
export type BuriedEvent = DomainEvent | Pick<ReceivedMessage, 'subject' | 'bytes' | 'text'>;

export const isEvent = (buried: BuriedEvent): buried is DomainEvent => 'id' in buried;

interface Revived {
  id: string;
  source: 'job' | 'event';
  name: string;
  key: string;
  document: string;
  version: number;
  lane: Lane;
  event: BuriedEvent | null;
}

/**
 * Sends dead letters again: a job starts afresh with all its attempts; an event goes into this service's outbox, whoever
 * told it first, and reaches all its consumers, of which those that had it take no notice. What was never an event stays.
 */
export const revive = async (
  tx: QueryExecutorProvider,
  tenant: TenantId,
  { ids }: { ids: readonly string[] },
): Promise<number> => {
  const { rows } = await sql<Revived>`
    select id, source, name, key, document, version, lane, event from dead_letters
    where tenant = ${tenant} and id = any(${ids}::uuid[]) for update`.execute(tx);
  const revived = rows.filter(({ source, event }) => source === 'job' || (event && isEvent(event)));
  await sql`delete from dead_letters where id = any(${revived.map(({ id }) => id)}::uuid[])`.execute(tx);
  const jobs = revived.filter(({ source }) => source === 'job');
  await enqueue(
    tx,
    tenant,
    jobs.map(({ name: kind, key, document, version, lane }) => ({ kind, key, document, version, lane })),
  );
  const events = new Map(revived.flatMap(({ event }) => (event && isEvent(event) ? [[event.id, event]] : [])));
  await tellAgain(tx, tenant, [...events.values()]);
  return revived.length;
};

/** Puts events into the outbox under the ids they had; those that are there still become due anew. */
const tellAgain = async (
  tx: QueryExecutorProvider,
  tenant: TenantId,
  events: readonly DomainEvent[],
): Promise<void> => {
  if (events.length === 0) return;
  const values = events.map(
    ({ id, type, data, time, traceparent }) =>
      sql`(${id}::uuid, ${tenant}, ${type}, ${JSON.stringify(data)}::json, ${time}::timestamptz, ${traceparent ?? null})`,
  );
  const { rows } = await sql<{ schema: string }>`
    insert into outbox (id, tenant, type, data, created_at, trace) values ${sql.join(values)}
    on conflict (id) do update set published_at = null, attempts = 0, available_at = now()
    returning current_schema() as schema`.execute(tx);
  const schema = rows[0]?.schema;
  if (schema) afterCommit(() => processBell.ring(outboxBell(schema)));
};
