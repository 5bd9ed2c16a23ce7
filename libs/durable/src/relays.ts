import type { DomainEvent, EventData, EventType, TenantId } from '@postmaster/contracts';
import { sql } from 'kysely';
import type { Database } from './database.js';

/** Which of an outbox's events a stream takes: work between services, or what partners may follow. */
export type OutboxShare = 'work' | 'public';

const ofShare = (share: OutboxShare) =>
  share === 'public' ? sql`type like 'public.%'` : sql`type not like 'public.%'`;

/** A stream as the relay saw it last: another creation, or an earlier last sequence, means that its data was lost. */
export interface KnownStream {
  /** null: never seen. */
  created: string | null;
  lastSequence: number;
}

/** Takes or renews the lease to relay to this stream; undefined while another holds it. */
export const takeRelay = (
  db: Database<unknown>,
  stream: string,
  holder: string,
  leaseMs: number,
): Promise<KnownStream | undefined> =>
  db.asSystem(async (tx) => {
    const { rows } = await sql<{ created: string | null; last_sequence: string }>`
      insert into relays as r (stream, holder, held_until)
      values (${stream}, ${holder}, now() + ${leaseMs} * interval '1 millisecond')
      on conflict (stream) do update set holder = excluded.holder, held_until = excluded.held_until
        where r.holder = excluded.holder or r.held_until is null or r.held_until < now()
      returning created, last_sequence`.execute(tx);
    return rows[0] && { created: rows[0].created, lastSequence: Number(rows[0].last_sequence) };
  });

/** Lets another replica relay at once. */
export const releaseRelay = async (db: Database<unknown>, stream: string, holder: string): Promise<void> => {
  await db.asSystem((tx) =>
    sql`update relays set holder = null, held_until = null where stream = ${stream} and holder = ${holder}`.execute(tx),
  );
};

/** What the stream is now; only once all that it lost is unpublished again. */
export const rememberStream = async (db: Database<unknown>, stream: string, seen: KnownStream): Promise<void> => {
  await db.asSystem((tx) =>
    sql`update relays set created = ${seen.created}, last_sequence = ${seen.lastSequence}
        where stream = ${stream}`.execute(tx),
  );
};

export interface OutgoingEvent {
  event: DomainEvent;
  /**
   * What the broker knows it by: the event's id, so that a publication whose answer was lost is kept once; and another
   * one each time it is made due anew (a dead letter sent again), so that the broker does not take it for a repeat.
   */
  messageId: string;
}

/** What has not gone out and is due, oldest first. Never "all above a mark": commits come late. */
export const outgoingEvents = (db: Database<unknown>, share: OutboxShare, limit: number): Promise<OutgoingEvent[]> =>
  db.asSystem(async (tx) => {
    const { rows } = await sql<{
      id: string;
      tenant: TenantId;
      type: EventType;
      data: EventData<EventType>;
      created_at: Date;
      due_anew: string | null;
      trace: string | null;
    }>`
      select id, tenant, type, data, created_at, trace,
             case when available_at <> created_at then (extract(epoch from available_at) * 1000000)::bigint end as due_anew
      from outbox where published_at is null and available_at <= now() and ${ofShare(share)}
      order by available_at, id limit ${limit}`.execute(tx);
    return rows.map(({ id, tenant, type, data, created_at, due_anew, trace }) => ({
      // type and data were written together
      event: { id, tenant, type, data, time: created_at.toISOString(), traceparent: trace ?? undefined } as DomainEvent,
      messageId: due_anew === null ? id : `${id}.${due_anew}`,
    }));
  });

/** These went out, up to this sequence of the stream, each as the message that is noted for when it is to go again. */
export const settleOutgoing = async (
  db: Database<unknown>,
  stream: string,
  gone: readonly { id: string; sequence?: number }[],
  lastSequence: number,
): Promise<void> => {
  if (gone.length === 0) return;
  await db.asSystem(async (tx) => {
    await sql`
      update outbox set published_at = now(), sequences = case when g.sequence = any(sequences) then sequences
        else coalesce(sequences, '{}') || array_remove(array[g.sequence], null) end
      from json_to_recordset(${JSON.stringify(gone)}::json) as g(id uuid, sequence bigint)
      where outbox.id = g.id`.execute(tx);
    await sql`update relays set last_sequence = greatest(last_sequence, ${lastSequence})
              where stream = ${stream}`.execute(tx);
  });
};

/**
 * Makes all that went out of this share within the last `days` go out again; gives their number. In batches, each a
 * short transaction of its own: writers never wait for it. Safe to begin again after it broke off.
 */
export const publishAgain = async (
  db: Database<unknown>,
  share: OutboxShare,
  days = 7,
  batch = 1_000,
): Promise<number> => {
  const { rows } = await db.asSystem((tx) => sql<{ now: string }>`select now()::text as now`.execute(tx));
  const begun = rows[0]?.now ?? ''; // what goes out from here on is in the stream that is there now
  await db.asSystem((tx) =>
    sql`delete from outbox where erase and published_at <= ${begun}::timestamptz and ${ofShare(share)}`.execute(tx),
  ); // what was to go from the stream went with it
  for (let total = 0; ;) {
    const { numAffectedRows } = await db.asSystem((tx) =>
      sql`update outbox set published_at = null, sequences = null where id in (
            select id from outbox
            where published_at <= ${begun}::timestamptz
              and published_at > ${begun}::timestamptz - ${days} * interval '1 day' and ${ofShare(share)}
            order by published_at limit ${batch})`.execute(tx),
    );
    const changed = Number(numAffectedRows ?? 0);
    total += changed;
    if (changed < batch) return total;
  }
};
