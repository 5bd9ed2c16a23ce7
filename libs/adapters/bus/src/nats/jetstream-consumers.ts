import type { Consumer, DomainEvent } from '@postmaster/contracts';
import { type Database, every } from '@postmaster/durable';
import type { Delivery, DeliveryOutcome } from '../delivery.js';
import { backoffMs } from './backoff.js';
import { countPending } from './count-pending.js';
import type { Nats } from './connect-nats.js';
import { MAX_EVENT_BYTES } from './envelope.js';
import { handleMessage } from './handle-message.js';
import { natsObservers } from './observe.js';
import { outageWatch } from './outage.js';
import { pullMessages } from './pull-messages.js';
import type { StreamLimits } from './streams.js';

export interface JetstreamConsumersOptions {
  nats: Nats;
  /** Of the service whose consumers these are: its dead letters, and its counts of what they threw. */
  db: Database<unknown>;
  limits?: StreamLimits;
  /** Messages of a type that one consumer handles at once in this process, 8 unless told: each takes a connection. */
  slots?: number;
  /** Larger messages become dead letters, 1 MiB unless told. Slots times this is the most that a type holds in memory. */
  maxEventBytes?: number;
  /** Wait after the n-th throw, from 1. */
  retryMs?: (failures: number) => number;
  /** What a consumer has not settled yet, all of its types and replicas together; told every few seconds. */
  onPending?: (consumer: string, pending: number) => void;
  onDelivered?: (event: DomainEvent, consumer: string, outcome: DeliveryOutcome) => void;
  onError?: (error: unknown, event?: DomainEvent, consumer?: string) => void;
}

/**
 * The bus between processes. A consumer has a durable pull consumer per type of event, because a server before 2.10
 * filters by one subject only; its replicas share them. So a type's backlog is a number of its own, and a poisoned type
 * leaves the others alone.
 */
export const jetstreamConsumers = (options: JetstreamConsumersOptions): Delivery => {
  const { nats, db, limits = {}, slots = 8, maxEventBytes = MAX_EVENT_BYTES } = options;
  const { onPending, onDelivered = () => {}, onError = () => {} } = options;
  const { retryMs = (failures) => backoffMs(failures, 100, 30_000) } = options;
  const stopping = new AbortController();
  const observers = natsObservers(nats, onError);
  const outage = outageWatch();
  const consumers = new Map<string, { consumer: Consumer; type: Consumer['types'][number] }>();
  let pulls: Promise<void>[] = [];
  let stopCounting = (): Promise<void> => Promise.resolve();
  const handling = { db, outage, retryMs, maxBytes: maxEventBytes, onDelivered, onError };

  return {
    subscribe: (consumer) => {
      for (const type of consumer.types) {
        const durable = durableName(consumer.name, type);
        if (consumers.has(durable)) throw new Error(`Two consumers would share the name ${durable}.`);
        consumers.set(durable, { consumer, type });
      }
    },
    observe: observers.observe,
    start: () => {
      pulls = [...consumers].map(([durable, { consumer, type }]) =>
        pullMessages({
          ...{ nats, durable, type, limits, slots, outage, signal: stopping.signal },
          handle: (message) => handleMessage(handling, consumer, message),
          onError: (error) => onError(error, undefined, consumer.name),
        }),
      );
      const count = async (): Promise<void> => {
        for (const [consumer, pending] of await countPending(nats, consumers)) onPending?.(consumer, pending);
      };
      if (onPending) stopCounting = every(COUNT_MS, count, () => {}); // the connection says what is wrong
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([...pulls, stopCounting()]);
      observers.stop();
      await (await nats.ready(0))?.flush().catch(() => undefined); // the last acks; lost ones come again
    },
  };
};

const COUNT_MS = 5_000;

/** As `consumer__type`: a name there has no dots. */
export const durableName = (consumer: string, type: string): string => `${consumer}__${type}`.replaceAll('.', '-');
