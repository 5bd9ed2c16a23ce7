import {
  type Consumer,
  type DeadLetterChoice,
  type DeadLetterFilter,
  type DomainEvent,
  type Failure,
  failure,
  failureOf,
  readEvent,
  type RetriedDeadLetters,
  type TenantId,
} from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './database.js';
import { failureColumn } from './dead-letters.js';
import { matches } from './read-dead-letters.js';
import { type BuriedEvent, isEvent, revive } from './revive.js';
import { inTraceOf } from './traced.js';
import { isUnreachable } from './unreachable.js';

/** The rows that a caller reaches: a tenant's own, or all. */
export type Reach = <R>(work: (tx: QueryExecutorProvider) => Promise<R>) => Promise<R>;

export interface RetryPorts {
  db: Database<unknown>;
  /** Of this service: what one of them gave up is handed to it, and to no other. */
  consumers: readonly Consumer[];
  /** Hears what was not expected of a handler; its dead letter says no more than INTERNAL. */
  onError: (error: unknown) => void;
  /** Milliseconds after which no further batch is begun. */
  budgetMs?: number;
}

interface Chosen {
  id: string;
  tenant: TenantId;
  source: 'job' | 'event';
  name: string;
  failure: Failure & { attempts?: number };
  event: BuriedEvent | null;
}

type Refusals = RetriedDeadLetters['failures'];

const BATCH = 100;
const TOLD = 100;

/**
 * Gives dead letters out again. A job starts afresh. An event is handled at once by the consumer that gave it up, and by
 * no other; where that is another service's (all of one process share their outboxes) it goes into the outbox again.
 * Whatever is still refused stays, with its new reason. To do it twice has the effect of once.
 */
export const retryDeadLetters = async (
  ports: RetryPorts,
  reach: Reach,
  choice: DeadLetterChoice,
): Promise<RetriedDeadLetters> => {
  const all = { retried: 0, failures: [] as Refusals };
  const retryBatch = async (chosen: readonly Chosen[]): Promise<void> => {
    const refused = await retryChosen(ports, chosen);
    all.retried += chosen.length - refused.length;
    all.failures.push(...refused);
  };
  const told = (more: boolean): RetriedDeadLetters => ({
    retried: all.retried,
    failed: all.failures.length,
    failures: all.failures.slice(0, TOLD),
    more,
  });
  if ('ids' in choice) {
    const chosen = await chooseIds(reach, choice.ids);
    const known = new Set(chosen.map(({ id }) => id));
    const unknown = choice.ids.filter((id) => !known.has(id.toLowerCase()));
    all.failures.push(...unknown.map((id) => ({ id, why: failure('NOT_FOUND', `There is no dead letter ${id}.`) })));
    await retryBatch(chosen);
    return told(false);
  }
  const end = performance.now() + (ports.budgetMs ?? 15_000);
  const before = await now(reach); // what is given up again meanwhile is not tried for ever
  for (let last: string | null = null; ;) {
    const chosen: Chosen[] = await chooseNext(reach, choice.filter, before, last);
    await retryBatch(chosen);
    if (chosen.length < BATCH) return told(false);
    if (performance.now() > end) return told(true);
    last = chosen.at(-1)?.id ?? null;
  }
};

const COLUMNS = sql`id, tenant, source, name, failure, event`;

const chooseIds = (reach: Reach, ids: readonly string[]): Promise<Chosen[]> =>
  reach(async (tx) => {
    const { rows } = await sql<Chosen>`
      select ${COLUMNS} from dead_letters where id = any(${ids}::uuid[]) order by id`.execute(tx);
    return rows;
  });

const chooseNext = (reach: Reach, filter: DeadLetterFilter, before: string, last: string | null): Promise<Chosen[]> =>
  reach(async (tx) => {
    const { rows } = await sql<Chosen>`
      select ${COLUMNS} from dead_letters
      where ${matches(filter)} and at <= ${before}::timestamptz and ${last ? sql`id > ${last}::uuid` : sql`true`}
      order by id limit ${BATCH}`.execute(tx);
    return rows;
  });

const now = (reach: Reach): Promise<string> =>
  reach(async (tx) => {
    const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(tx);
    return rows[0]?.now ?? '';
  });

/** Gives those that stay dead letters, each with its reason. */
const retryChosen = async (ports: RetryPorts, chosen: readonly Chosen[]): Promise<Refusals> => {
  const refusals: Refusals = [];
  const elsewhere = new Map<TenantId, string[]>();
  for (const letter of chosen) {
    const consumer = letter.source === 'event' && ports.consumers.find(({ name }) => name === letter.name);
    const read = letter.event ? readBuried(letter.event) : undefined;
    if (read && 'why' in read) refusals.push({ id: letter.id, why: notToBeSent(read.why) });
    else if (consumer && read) {
      const why = await handleAgain(ports, consumer, letter, read.event);
      if (why) refusals.push({ id: letter.id, why });
    } else if (letter.event && !isEvent(letter.event)) refusals.push({ id: letter.id, why: nobodyTakes(letter.name) });
    else elsewhere.set(letter.tenant, [...(elsewhere.get(letter.tenant) ?? []), letter.id]);
  }
  for (const [tenant, ids] of elsewhere) await ports.db.asTenant(tenant, (tx) => revive(tx, tenant, { ids }));
  return refusals;
};

/** A message is read anew: a service of a newer version may know it. */
const readBuried = (buried: BuriedEvent): { event: DomainEvent } | { why: Failure } => {
  if (isEvent(buried)) return { event: buried };
  const body = Buffer.from(buried.text);
  if (body.length === buried.bytes) return readEvent(buried.subject, body);
  const kept = `Of a message on ${buried.subject} only the first ${body.length} of ${buried.bytes} bytes are kept.`;
  return { why: failure('EVENT_MALFORMED', kept) };
};

const notToBeSent = ({ code, message, next }: Failure): Failure => ({
  code,
  message: `It can't be sent again. ${message}`,
  next: `${next} If it is of no use, drop it: postmaster deadletters drop.`,
});

const nobodyTakes = (consumer: string): Failure =>
  notToBeSent(failure('NOT_FOUND', `This service has no consumer "${consumer}".`, 'See which version of it runs.'));

/** Gives the reason where the consumer refuses it again; the dead letter then stays under that. */
const handleAgain = async (
  { db, onError }: RetryPorts,
  consumer: Consumer,
  { id, tenant, failure: before }: Chosen,
  event: DomainEvent,
): Promise<Failure | undefined> => {
  try {
    await inTraceOf(event, `handle ${consumer.name}`, () => consumer.handle(event));
  } catch (error) {
    if (isUnreachable(error)) throw error; // no fault of the event's
    onError(error);
    const why = failureOf(error);
    await db.asTenant(tenant, (tx) =>
      sql`update dead_letters set failure = ${failureColumn(why, (before.attempts ?? 0) + 1)} where id = ${id}`.execute(
        tx,
      ),
    );
    return why;
  }
  await db.asTenant(tenant, (tx) => sql`delete from dead_letters where id = ${id}`.execute(tx));
  return undefined;
};
