import { knownValues, type KnownValues, type Requests, type TenantId } from '@postmaster/contracts';

/** What a tenant's documents have, as it was up to a minute ago: a new collection counts for plans after that. */
export type ReadKnownValues = (tenant: TenantId, token: string) => Promise<KnownValues>;

const FRESH_MS = 60_000;
const MOST_TENANTS = 500;
/** A search waits no longer for it. */
const PATIENCE_MS = 500;

/**
 * Asks ingestion, whose rows are the truth in every mode, once a minute and tenant at most, however many ask at once.
 * Throws SERVICE_UNAVAILABLE or TIMED_OUT where it does not answer; the next request asks anew.
 */
export const readKnownValues = (requests: Requests, now: () => number = () => performance.now()): ReadKnownValues => {
  const kept = new Map<TenantId, { values: Promise<KnownValues>; until: number }>();
  return (tenant, token) => {
    const known = kept.get(tenant);
    if (known && known.until > now()) return known.values;
    const values = requests.ask({ ...knownValues, timeoutMs: PATIENCE_MS }, token, {});
    kept.delete(tenant);
    kept.set(tenant, { values, until: now() + FRESH_MS });
    if (kept.size > MOST_TENANTS) kept.delete(kept.keys().next().value!);
    values.catch(() => {
      if (kept.get(tenant)?.values === values) kept.delete(tenant);
    });
    return values;
  };
};
