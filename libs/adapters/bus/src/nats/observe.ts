import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { DomainEvent, Observers, TenantId } from '@postmaster/contracts';
import type { Nats } from './connect-nats.js';
import { readEvent, TRACE_HEADER } from './envelope.js';

interface Watched {
  seers: Set<(event: DomainEvent) => void>;
  subscriptions: Subscription[];
  stop(): void;
}

/**
 * Glances at a tenant's events as they are published, over the plain subjects and beside the streams: from now on, at
 * most once, none while the connection is lost. A tenant is subscribed to once, however many watch.
 */
export const natsObservers = (
  nats: Nats,
  onError: (error: unknown) => void = () => {},
): Observers & { stop(): void } => {
  const tenants = new Map<TenantId, Watched>();

  const watch = (tenant: TenantId): Watched => {
    const seers: Watched['seers'] = new Set();
    const show = (event: DomainEvent): void => {
      for (const see of seers)
        try {
          see(event);
        } catch (error) {
          onError(error);
        }
    };
    const subscribe = (connection: NatsConnection): Subscription[] =>
      ['work', 'events'].map((kind) =>
        connection.subscribe(`postmaster.${kind}.${tenant}.>`, {
          callback: (error, message) => {
            if (error) return onError(error);
            const read = readEvent(message.subject, message.data, { trace: message.headers?.get(TRACE_HEADER) });
            if ('event' in read) show(read.event); // what is no event is told where it is consumed
          },
        }),
      );
    const watched: Watched = { seers, subscriptions: [], stop: () => {} };
    const leave = nats.onReady((connection, fresh) => {
      if (fresh) watched.subscriptions = subscribe(connection);
    });
    watched.stop = () => {
      leave();
      for (const subscription of watched.subscriptions) subscription.unsubscribe();
      tenants.delete(tenant);
    };
    tenants.set(tenant, watched);
    return watched;
  };

  return {
    observe: (tenant, see) => {
      const watched = tenants.get(tenant) ?? watch(tenant);
      const seer = (event: DomainEvent): void => see(event); // the same function may watch twice
      watched.seers.add(seer);
      return () => {
        watched.seers.delete(seer);
        if (watched.seers.size === 0 && tenants.get(tenant) === watched) watched.stop();
      };
    },
    stop: () => [...tenants.values()].forEach((watched) => watched.stop()),
  };
};
