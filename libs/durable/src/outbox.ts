import type { DomainEvent, EventData, EventType, TenantId } from '@postmaster/contracts';
import { newId } from '@postmaster/contracts';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { outboxBell, processBell } from './bell.js';
import { afterCommit, type Database } from './database.js';
import { traceparentNow } from './trace-context.js';

/**
 * Puts an event into the open transaction's outbox: it goes out if, and only if, the transaction commits. It carries
 * the trace that it came of.
 */
export const publish = async <T extends EventType>(
  tx: QueryExecutorProvider,
  tenant: TenantId,
  type: T,
  data: EventData<T>,
): Promise<void> => {
  const { rows } = await insertion(tenant, type, data).execute(tx);
  afterCommit(ringing(rows));
};

/** A transaction of one trip: a change of rows (a statement that modifies them), and the event that tells of it. */
export const publishWith = async <T extends EventType>(
  db: Pick<Database<unknown>, 'oneAsTenant'>,
  tenant: TenantId,
  change: RawBuilder<unknown>,
  type: T,
  data: EventData<T>,
): Promise<void> => {
  const { rows } = await db.oneAsTenant(
    tenant,
    sql<Inserted>`with change as (${change}) ${insertion(tenant, type, data)}`,
  );
  ringing(rows)();
};

interface Inserted {
  schema: string;
}

const insertion = <T extends EventType>(tenant: TenantId, type: T, data: EventData<T>): RawBuilder<Inserted> => sql`
  insert into outbox (id, tenant, type, data, trace)
  values (${newId()}, ${tenant}, ${type}, ${JSON.stringify(data)}, ${traceparentNow('document' in data ? data.document : tenant)})
  returning current_schema() as schema`;

const ringing = (rows: readonly Inserted[]) => (): void => {
  for (const { schema } of rows) processBell.ring(outboxBell(schema));
};

export interface OutboxRow {
  event: DomainEvent;
  attempts: number;
}

/** What has not gone out and is due, oldest first. Never "all above a mark": commits come late. */
export const dueEvents = async (db: Database<unknown>, limit: number): Promise<OutboxRow[]> => {
  const { rows } = await db.oneAsSystem(sql<{
    id: string;
    tenant: TenantId;
    type: EventType;
    data: EventData<EventType>;
    created_at: Date;
    attempts: number;
    trace: string | null;
  }>`
    select id, tenant, type, data, created_at, attempts, trace from outbox
    where published_at is null and available_at <= now() order by available_at, id limit ${limit}`);
  return rows.map(({ id, tenant, type, data, created_at, attempts, trace }) => ({
    // type and data were written together
    event: { id, tenant, type, data, time: created_at.toISOString(), traceparent: trace ?? undefined } as DomainEvent,
    attempts,
  }));
};

export const markPublished = async (db: Database<unknown>, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.oneAsSystem(
    sql`with forgotten as (delete from outbox where id = any(${ids}::uuid[]) and erase)
        update outbox set published_at = now() where id = any(${ids}::uuid[]) and not erase`,
  );
};

export const postpone = async (db: Database<unknown>, id: string, afterMs: number): Promise<void> => {
  await db.oneAsSystem(
    sql`update outbox set attempts = attempts + 1, available_at = now() + ${afterMs} * interval '1 millisecond'
        where id = ${id}`,
  );
};
