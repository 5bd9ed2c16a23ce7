import type { DomainEvent, EventType } from './events.js';
import type { TenantId } from './ids.js';

/**
 * A durable consumer: every event of its types reaches it at least once, in no promised order. The handler only
 * writes (one short transaction) and throws to be called again; after `MAX_DELIVERIES` throws the event becomes a dead letter.
 */
export interface Consumer<T extends EventType = EventType> {
  /** "<service>.<what it does>": names its inbox rows, so it never changes. */
  name: string;
  types: readonly T[];
  handle(event: DomainEvent<T>): Promise<void>;
}

export const MAX_DELIVERIES = 8;

/**
 * What each process is told for itself, of all tenants, from now on, at most once: for what it keeps in memory of things
 * that others change. `again` is called whenever it begins to be told: what came before, it was not.
 */
export interface Changes {
  follow<T extends EventType>(
    types: readonly T[],
    heard: { see(event: DomainEvent<T>): void; again(): void },
  ): { /** Whether it would be told now. */ hears(): boolean; stop(): void };
}

/** Passing glances at a tenant's events, from now on, at most once: for live views, never for state. */
export interface Observers {
  observe(tenant: TenantId, see: (event: DomainEvent) => void): () => void;
}
