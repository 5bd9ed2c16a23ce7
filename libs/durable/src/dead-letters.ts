import { type DomainEvent, type Failure, MAX_DELIVERIES, newId, type TenantId } from '@postmaster/contracts';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.js';

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

/** The dead letters of these jobs, said so that the index finds them, however many others there are. */
export const ofJobs = (jobs: readonly { tenant: TenantId; kind: string; key: string }[]): RawBuilder<boolean> => {
  const groups = new Map<string, { tenant: TenantId; kind: string; keys: string[] }>();
  for (const { tenant, kind, key } of jobs) {
    const group = groups.get(`${tenant} ${kind}`) ?? { tenant, kind, keys: [] };
    group.keys.push(key);
    groups.set(`${tenant} ${kind}`, group);
  }
  const any = [...groups.values()].map(
    ({ tenant, kind, keys }) => sql`(tenant = ${tenant} and source = 'job' and name = ${kind} and key = any(${keys}))`,
  );
  return any.length > 0 ? sql<boolean>`(${sql.join(any, sql` or `)})` : sql<boolean>`false`;
};

/** Whose dead letters a message becomes that names no tenant. No tenant's id can be this one. */
export const SYSTEM_TENANT = '_system' as TenantId; // a TenantId has no underscore, which is the point

/** The column `failure` of a dead letter: why, and how many tries were spent. In one, so that older rows need no change. */
export const failureColumn = (why: Failure, attempts: number): string => JSON.stringify({ ...why, attempts });

/** Buries an event that a consumer kept refusing; its own service's table keeps it whole. */
export const buryEvent = (
  db: Database<unknown>,
  event: DomainEvent,
  consumer: string,
  why: Failure,
): Promise<unknown> =>
  db.asSystem(async (tx) => {
    const { numAffectedRows: counted } = await sql`
      delete from inbox where event = ${event.id} and consumer = any(${failureRows(consumer)})`.execute(tx);
    const { rows } = await sql<{ attempts: number }>`select attempts from outbox where id = ${event.id}`.execute(tx);
    // over NATS every throw was counted; in process the outbox has those before the last
    const attempts = Math.max(Number(counted ?? 0), (rows[0]?.attempts ?? 0) + 1);
    const { document = null, version = null } = 'document' in event.data ? event.data : {};
    await sql`insert into dead_letters (id, tenant, source, name, key, document, version, failure, event)
              values (${newId()}, ${event.tenant}, 'event', ${consumer}, ${event.id}, ${document}, ${version}, ${failureColumn(why, attempts)}, ${JSON.stringify(event)})
              on conflict (tenant, source, name, key) do nothing`.execute(tx);
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

/** Keeps what can't be read as an event, with the reason. It is handled only once it can be read: there is no event to send. */
export const buryMessage = (
  db: Database<unknown>,
  { tenant, key, ...message }: ReceivedMessage,
  consumer: string,
  why: Failure,
): Promise<unknown> =>
  db.asSystem((tx) =>
    sql`insert into dead_letters (id, tenant, source, name, key, failure, event)
        values (${newId()}, ${tenant}, 'event', ${consumer}, ${key}, ${failureColumn(why, 1)},
                ${JSON.stringify({ ...message, text: storable(message.text) })})
        on conflict (tenant, source, name, key) do nothing`.execute(tx),
  );

/** With a document goes what was given up of it: events may quote its text. Older versions alone with `version`. */
export const forgetDeadLetters = (tx: QueryExecutorProvider, document: string, version?: number): Promise<unknown> =>
  sql`delete from dead_letters where document = ${document}
      and (${version ?? null}::int is null or version <= ${version ?? null})`.execute(tx);

/** Without what Postgres takes into a JSON column but gives out of none: NUL, and halves of surrogate pairs. */
const storable = (text: string): string => Buffer.from(text.replaceAll('\u0000', '\ufffd')).toString();

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
