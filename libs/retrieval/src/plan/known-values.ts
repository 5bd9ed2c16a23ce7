import { knownMetadata, knownValues, type KnownValues, type Requests, type TenantId } from '@postmaster/contracts';
import type { Freshness } from '../cache/document-freshness.js';

/** What a tenant's documents have, as it was up to a minute ago, or up to the last change that was heard of. */
export type ReadKnownValues = (tenant: TenantId, token: string) => Promise<KnownValues>;

const FRESH_MS = 60_000;
/** While documents change all the time, it is asked for no more often than this. */
const ASKED_EVERY_MS = 2_000;
const MOST_TENANTS = 500;
/** A search waits no longer for it. */
const PATIENCE_MS = 500;

/** What was extracted joins what was given; an enrichment service that does not answer is done without. */
const askBoth = async (requests: Requests, token: string): Promise<KnownValues> => {
  const extracted = requests.ask({ ...knownMetadata, timeoutMs: PATIENCE_MS }, token, {}).catch(() => undefined);
  const given = await requests.ask({ ...knownValues, timeoutMs: PATIENCE_MS }, token, {});
  const { metadata = {}, dated = null } = (await extracted) ?? {};
  return { ...given, metadata: joined(given.metadata, metadata), created: spanning(given.created, dated) };
};

const joined = (one: KnownValues['metadata'], other: KnownValues['metadata']): KnownValues['metadata'] => {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, [...new Set([...(one[key] ?? []), ...(other[key] ?? [])])]]));
};

const spanning = (one: KnownValues['created'], other: KnownValues['created']): KnownValues['created'] =>
  one && other
    ? { from: one.from < other.from ? one.from : other.from, to: one.to > other.to ? one.to : other.to }
    : (one ?? other);

/**
 * Asks ingestion, whose rows are the truth in every mode: once a minute and tenant while no document changes, and once
 * for all who ask together. `holds`: whether what was read at a moment is of the documents as they are now. Throws SERVICE_UNAVAILABLE or TIMED_OUT where it does not answer; the next request asks anew.
 */
export const readKnownValues = (
  requests: Requests,
  now: () => number = () => performance.now(),
  holds: Freshness['holds'] = () => true,
): ReadKnownValues => {
  const kept = new Map<TenantId, { values: Promise<KnownValues>; at: number }>();
  return (tenant, token) => {
    const known = kept.get(tenant);
    const age = known ? now() - known.at : Infinity;
    if (known && age < (holds(tenant, known.at) ? FRESH_MS : ASKED_EVERY_MS)) return known.values;
    const values = askBoth(requests, token);
    kept.delete(tenant);
    kept.set(tenant, { values, at: now() });
    if (kept.size > MOST_TENANTS) kept.delete(kept.keys().next().value!);
    values.catch(() => {
      if (kept.get(tenant)?.values === values) kept.delete(tenant);
    });
    return values;
  };
};
