import type { Subscription } from '@nats-io/transport-node';
import { type Changes, type DomainEvent, type EventType, subjectOf, type TenantId } from '@postmaster/contracts';
import type { Nats } from './connect-nats.js';
import { readEvent } from './envelope.js';

// In a subject a star stands for every tenant; as a tenant's id it goes nowhere else.
const EVERY_TENANT = '*' as TenantId;

/**
 * Follows events as they are published, over the plain subjects and beside the streams, so that every replica hears
 * all of them. Nothing is heard while the connection is lost.
 */
export const natsChanges = (nats: Nats, onError: (error: unknown) => void = () => {}): Changes => ({
  follow: <T extends EventType>(
    types: readonly T[],
    { see, again }: { see(event: DomainEvent<T>): void; again(): void },
  ) => {
    let subscriptions: Subscription[] = [];
    const leave = nats.onReady((connection, fresh) => {
      if (fresh)
        subscriptions = types.map((type) =>
          connection.subscribe(subjectOf(type, EVERY_TENANT), {
            callback: (error, message) => {
              if (error) return onError(error);
              const read = readEvent(message.subject, message.data);
              if ('event' in read) see(read.event as DomainEvent<T>); // the subject tells the type, and was checked
            },
          }),
        );
      again();
    });
    return {
      hears: () => nats.failure === null,
      stop: () => {
        leave();
        for (const subscription of subscriptions) subscription.unsubscribe();
      },
    };
  },
});
