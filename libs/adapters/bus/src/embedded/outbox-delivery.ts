import {
  type Changes,
  type Consumer,
  type DomainEvent,
  type EventType,
  failureOf,
  MAX_DELIVERIES,
  type TenantId,
} from '@postmaster/contracts';
import {
  buryEvent,
  type Database,
  dueEvents,
  markPublished,
  outboxBell,
  type OutboxRow,
  postpone,
  processBell,
} from '@postmaster/durable';
import type { Delivery, DeliveryOutcome } from '../delivery.js';

export interface OutboxDeliveryOptions {
  /** Every service of the process, by its schema. */
  services: Record<string, Database<unknown>>;
  onDelivered?: (event: DomainEvent, consumer: string, outcome: DeliveryOutcome) => void;
  onError?: (error: unknown, event?: DomainEvent, consumer?: string) => void;
}

export type OutboxDelivery = Delivery & Changes;

const BATCH = 64;
/** Every writer is in this process and rings, and so does what was postponed: this is for a ring that was lost. */
const LOOK_MS = 5_000;
const retryMs = (attempts: number): number => Math.min(30_000, 100 * 2 ** attempts);

/**
 * The embedded bus: gives every event of every service's outbox to the consumers of its type, in this process, at
 * least once. An event is marked as gone out when all its consumers have it; their inboxes make a repeat harmless.
 */
export const outboxDelivery = ({ services, onDelivered, onError }: OutboxDeliveryOptions): OutboxDelivery => {
  const consumers = new Map<string, Consumer[]>();
  const observers = new Map<TenantId, Set<(event: DomainEvent) => void>>();
  const followers = new Map<EventType, Set<(event: DomainEvent) => void>>();
  const stopping = new AbortController();
  let loops: Promise<void>[] = [];

  const show = (event: DomainEvent, seers: Iterable<(event: DomainEvent) => void> = []): void => {
    for (const see of seers)
      try {
        see(event);
      } catch (error) {
        onError?.(error, event);
      }
  };

  /** True when every consumer has it, or has given it up. */
  const deliver = async (schema: string, db: Database<unknown>, { event, attempts }: OutboxRow): Promise<boolean> => {
    let settled = true;
    show(event, followers.get(event.type)); // what it tells of is done, whatever consumers make of it
    for (const consumer of consumers.get(event.type) ?? []) {
      try {
        await consumer.handle(event);
        onDelivered?.(event, consumer.name, 'done');
      } catch (error) {
        onError?.(error, event, consumer.name);
        const dead = attempts + 1 >= MAX_DELIVERIES;
        if (dead) await buryEvent(db, event, consumer.name, failureOf(error));
        else settled = false;
        onDelivered?.(event, consumer.name, dead ? 'dead' : 'failed');
      }
    }
    if (settled) show(event, observers.get(event.tenant));
    else {
      await postpone(db, event.id, retryMs(attempts));
      processBell.ringIn(outboxBell(schema), retryMs(attempts) + 10); // timers are a little early
    }
    return settled;
  };

  const loop = async (schema: string, db: Database<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const due = await dueEvents(db, BATCH);
        const gone: string[] = [];
        for (const row of due) {
          if (stopping.signal.aborted) break;
          if (await deliver(schema, db, row)) gone.push(row.event.id);
        }
        await markPublished(db, gone);
        if (due.length < BATCH) await processBell.wait(outboxBell(schema), LOOK_MS, stopping.signal);
      } catch (error) {
        onError?.(error);
        await processBell.wait(outboxBell(schema), 1_000, stopping.signal);
      }
    }
  };

  return {
    subscribe: (consumer) => {
      for (const type of consumer.types) consumers.set(type, [...(consumers.get(type) ?? []), consumer]);
    },
    observe: (tenant, see) => {
      const seers = observers.get(tenant) ?? new Set();
      observers.set(tenant, seers.add(see));
      return () => {
        seers.delete(see);
        if (seers.size === 0) observers.delete(tenant);
      };
    },
    follow: (types, { see, again }) => {
      // A type's followers are called with events of that type alone.
      const seer = see as (event: DomainEvent) => void;
      for (const type of types) followers.set(type, (followers.get(type) ?? new Set()).add(seer));
      again();
      return {
        hears: () => loops.length > 0 && !stopping.signal.aborted,
        stop: () => types.forEach((type) => followers.get(type)?.delete(seer)),
      };
    },
    start: () => {
      loops = Object.entries(services).map(([schema, db]) => loop(schema, db));
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
};
