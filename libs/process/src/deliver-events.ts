import { jetstreamConsumers, type Nats, outboxRelay } from '@postmaster/bus';
import type { Consumer } from '@postmaster/contracts';
import { type Database, tracedConsumer } from '@postmaster/durable';
import { type Lifecycle, type Log, type Metrics, tellEvents } from '@postmaster/service';
import type { ProcessConfig } from './process-config.js';

export interface EventsOptions {
  nats: Nats;
  db: Database<unknown>;
  /** The service's, which names it on the bus. */
  schema: string;
  consumers: readonly Consumer[];
  config: Pick<ProcessConfig, 'NATS_REPLICAS' | 'DATABASE_POOL_SIZE'>;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
}

/** Brings a service its events and gives out what it has to tell; the start and the stop are the process's. */
export const deliverEvents = (options: EventsOptions): { start(): void } => {
  const { nats, db, schema, config, log, metrics, lifecycle } = options;
  const limits = { replicas: config.NATS_REPLICAS };
  const delivery = jetstreamConsumers({
    ...{ nats, db, limits, ...tellEvents(metrics, log) },
    // each takes a connection while it writes; requests and workers need some, too
    slots: Math.max(1, Math.min(8, Math.floor(config.DATABASE_POOL_SIZE / 4))),
    onPending: (consumer, pending) => metrics.consumerPending.set({ consumer }, pending),
  });
  for (const consumer of options.consumers) delivery.subscribe(tracedConsumer(consumer));
  const relay = outboxRelay({
    ...{ nats, db, schema, limits },
    onAgain: (stream, count) => log.warn({ stream, count }, 'NATS lost its data; what was kept goes out again'),
    onError: (err) => log.error({ err }, 'the outbox waits'),
  });
  return {
    start: () => {
      relay.start();
      delivery.start();
      lifecycle.onShutdown('workers', 'events', () => delivery.stop());
      lifecycle.onShutdown('drain', 'outbox', () => relay.stop()); // the last handlers have written
    },
  };
};
