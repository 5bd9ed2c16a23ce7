import {
  type Consumer,
  type DomainEvent,
  type EventData,
  type EventType,
  newId,
  type TenantId,
} from '@postmaster/contracts';
import { type Database, type DeadLetter, jobsBell, listDeadLetters, processBell } from '@postmaster/durable';
import { sql } from 'kysely';

/** An event as the bus brings it. */
export const eventOf = <T extends EventType>(tenant: TenantId, type: T, data: EventData<T>): DomainEvent<T> =>
  ({ id: newId(), type, tenant, time: new Date().toISOString(), data }) as unknown as DomainEvent<T>; // type tells the data

/** Hands an event to those of the consumers that take its type, once. */
export const deliver = async (consumers: readonly Consumer[], event: DomainEvent): Promise<void> => {
  for (const consumer of consumers) if (consumer.types.includes(event.type)) await consumer.handle(event);
};

/** What a service has told so far of one type, oldest first. */
export const told = async <T extends EventType>(
  db: Database<unknown>,
  tenant: TenantId,
  type: T,
): Promise<EventData<T>[]> =>
  (await toldEvents(db, tenant)).filter((event) => event.type === type).map((event) => event.data as EventData<T>);

/** All that a service has told so far, oldest first. */
export const toldEvents = (db: Database<unknown>, tenant: TenantId): Promise<DomainEvent[]> =>
  db.asTenant(tenant, async (tx) => {
    const { rows } = await sql<{ id: string; type: EventType; data: unknown; created_at: Date }>`
      select id, type, data, created_at from outbox order by created_at, id`.execute(tx);
    return rows.map(
      ({ id, type, data, created_at }) => ({ id, type, tenant, data, time: created_at.toISOString() }) as DomainEvent, // written together
    );
  });

export interface WaitingJob {
  kind: string;
  key: string;
  state: 'ready' | 'leased';
  attempts: number;
}

export const jobsOf = (db: Database<unknown>, tenant: TenantId): Promise<WaitingJob[]> =>
  db.asTenant(tenant, async (tx) => {
    const { rows } = await sql<WaitingJob>`select kind, key, state, attempts from jobs order by kind, key`.execute(tx);
    return rows;
  });

/** Makes every job due now and wakes the workers, however long its backoff. */
export const hurry = async (db: Database<unknown>): Promise<void> => {
  const { rows } = await db.asSystem((tx) =>
    sql<{
      kind: string;
    }>`update jobs set run_at = now() where state = 'ready' and run_at > now() returning kind`.execute(tx),
  );
  for (const { kind } of rows) processBell.ring(jobsBell(kind));
};

/** Waits until `check` gives something other than undefined or false, and gives that; throws after `seconds`. */
export const until = async <T>(check: () => Promise<T> | T, seconds = 30): Promise<Exclude<T, undefined | false>> => {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
    const result = await check();
    if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`It did not come to be within ${seconds} seconds.`);
};

/** Waits until a tenant has no job left, without waiting for backoffs; gives its dead letters. */
export const untilSettled = async (db: Database<unknown>, tenant: TenantId): Promise<DeadLetter[]> => {
  await until(async () => {
    await hurry(db);
    return (await jobsOf(db, tenant)).length === 0;
  });
  return listDeadLetters(db, tenant);
};
