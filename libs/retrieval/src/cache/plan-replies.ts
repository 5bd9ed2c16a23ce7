import type { TenantId } from '@postmaster/contracts';
import type { Freshness } from './document-freshness.js';
import type { LookUp } from './look-up.js';
import { tenantCache } from './tenant-cache.js';

/** What a planning model replied, by all that it was told: of a request that holds today's date, too. */
export interface PlanReplies {
  get(tenant: TenantId, key: string): unknown;
  /** `began`: when the model was asked. */
  set(tenant: TenantId, key: string, reply: unknown, began: number): void;
}

export interface PlanRepliesPorts {
  freshness: Freshness;
  onLookUp?: (lookUp: LookUp) => void;
  /** Milliseconds, of the origin that `freshness` has. */
  now: () => number;
  entries?: number;
  bytes?: number;
}

/** Kept until a document of the tenant changes: what documents have is part of what a model plans by. */
export const planReplies = ({
  freshness,
  onLookUp,
  now,
  entries = 5_000,
  bytes = 16 * 1024 * 1024,
}: PlanRepliesPorts): PlanReplies => {
  const cache = tenantCache<{ reply: unknown }>({
    ...{ entries, bytes, now, lastsMs: freshness.lastsMs },
    bytesOf: ({ reply }) => 2 * JSON.stringify(reply).length,
  });
  freshness.onChange((tenant) => (tenant ? cache.drop(tenant) : cache.clear()));
  return {
    get: (tenant, key) => {
      const kept = cache.get(tenant, key);
      onLookUp?.(kept ? 'hit' : 'miss');
      return kept?.reply;
    },
    set: (tenant, key, reply, began) => {
      if (freshness.holds(tenant, began)) cache.set(tenant, key, { reply });
    },
  };
};
