import type { Subscription } from '@nats-io/transport-node';
import { newId } from '@postmaster/contracts';
import { createBell, type Database, outboxBell, type OutboxShare, processBell } from '@postmaster/durable';
import { MAX_EVENT_BYTES } from './envelope.js';
import type { Nats } from './connect-nats.js';
import { relayStream } from './relay-stream.js';
import type { StreamLimits } from './streams.js';

export interface OutboxRelayOptions {
  nats: Nats;
  db: Database<unknown>;
  /** The service's, which names it on the bus. */
  schema: string;
  limits?: StreamLimits;
  /** Events in flight at once, to each stream; 256 unless told. */
  inFlight?: number;
  /** How long another replica waits for this one before it takes over, 10,000 ms unless told. */
  leaseMs?: number;
  /** A larger event becomes a dead letter; 1 MiB unless told, and never more than the server carries. */
  maxEventBytes?: number;
  onPublished?: (count: number) => void;
  /** The stream had lost its data; this many events go out again. */
  onAgain?: (stream: string, count: number) => void;
  onError?: (error: unknown) => void;
}

export interface OutboxRelay {
  start(): void;
  /** Ends after the batch in hand, and lets another replica take over at once. */
  stop(): Promise<void>;
}

const SHARES: OutboxShare[] = ['work', 'public'];

/**
 * Gives what a service's outbox holds out to JetStream, at least once, in one replica at a time (two at once would do
 * no harm). No transaction is open while it waits for the broker, so that writers never wait for it.
 */
export const outboxRelay = (options: OutboxRelayOptions): OutboxRelay => {
  const { nats, db, schema, limits = {}, inFlight = 256, leaseMs = 10_000 } = options;
  const { onPublished = () => {}, onAgain = () => {}, onError = () => {} } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createBell();
  const holder = newId();
  const subject = `postmaster.bell.${schema}`;
  const relays = new Map<OutboxShare, ReturnType<typeof relayStream>>();
  let stopListening = (): void => {};
  let listening: Subscription | undefined;
  let forwarding: Promise<void> | undefined;

  const ring = (): boolean => {
    const holding = SHARES.filter((share) => relays.get(share)?.holds());
    for (const share of holding) bell.ring(share);
    return holding.length === SHARES.length;
  };

  /** What this replica wrote is another's to relay where that holds the lease: it is woken over the bus. */
  const forward = async (): Promise<void> => {
    while (!signal.aborted) {
      await processBell.wait(outboxBell(schema), 60_000, signal);
      if (ring() || signal.aborted || nats.failure) continue;
      (await nats.ready(0))?.publish(subject);
    }
  };

  return {
    start: () => {
      for (const share of SHARES)
        relays.set(
          share,
          relayStream({
            ...{ nats, db, service: schema, share, holder, limits, bell, signal, leaseMs, batch: inFlight },
            ...{ maxBytes: options.maxEventBytes ?? MAX_EVENT_BYTES, onPublished, onAgain, onError },
          }),
        );
      stopListening = nats.onReady((connection, fresh) => {
        if (fresh) listening = connection.subscribe(subject, { callback: () => void ring() });
      });
      forwarding = forward().catch(onError);
    },
    stop: async () => {
      stopping.abort();
      stopListening();
      listening?.unsubscribe();
      await Promise.all([forwarding, ...[...relays.values()].map(({ ended }) => ended)]);
    },
  };
};
