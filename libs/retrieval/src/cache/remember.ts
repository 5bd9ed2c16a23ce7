import type { TenantId } from '@postmaster/contracts';
import { singleFlight } from './single-flight.js';
import type { TenantCache } from './tenant-cache.js';

/** How a look-up ended: from the cache, from what another had under way, or by doing it. */
export type LookUp = 'hit' | 'joined' | 'miss';

export interface RememberOptions<V> {
  cache: TenantCache<V>;
  /** Whether what was begun at that moment still holds; always, unless told. `documentFreshness` tells of documents. */
  holds?: (tenant: TenantId, began: number) => boolean;
  onLookUp?: (lookUp: LookUp) => void;
  /** Milliseconds, of the origin that `holds` has. */
  now: () => number;
}

export type Remember<V> = (tenant: TenantId, key: string, make: () => Promise<V>) => Promise<RememberedValue<V>>;

export interface RememberedValue<V> {
  value: V;
  lookUp: LookUp;
}

/** The value of a key, made once for all who ask while it is made, and kept. What fails fails for them, and is not kept. */
export const remember = <V>({ cache, holds = () => true, onLookUp, now }: RememberOptions<V>): Remember<V> => {
  const fly = singleFlight<V>();
  const told = (value: V, lookUp: LookUp): RememberedValue<V> => ({ value, lookUp });
  return async (tenant, key, make) => {
    const kept = cache.get(tenant, key);
    if (kept !== undefined) {
      onLookUp?.('hit');
      return told(kept, 'hit');
    }
    const began = now();
    const { making, joined } = fly(tenant, key, began, make, (at) => holds(tenant, at));
    onLookUp?.(joined ? 'joined' : 'miss');
    const value = await making;
    if (!joined && holds(tenant, began)) cache.set(tenant, key, value);
    return told(value, joined ? 'joined' : 'miss');
  };
};
