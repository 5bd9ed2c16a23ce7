import type { TenantId } from '@postmaster/contracts';

export interface TenantCacheLimits<V> {
  /** Of all tenants together. */
  entries: number;
  /** Of all tenants together, keys included: two for each UTF-16 unit of a key, `bytesOf` for a value. */
  bytes: number;
  bytesOf: (value: V) => number;
  /** How old an entry may be and still be given, in milliseconds; asked at each look-up. */
  lastsMs: () => number;
  /** Milliseconds, of any origin. */
  now: () => number;
}

/**
 * Values by tenant and key, in the memory of this process. Where it is full, the tenant that holds the most gives up
 * what it used least recently: so nobody is pushed out who holds less than an even share.
 */
export interface TenantCache<V> {
  get(tenant: TenantId, key: string): V | undefined;
  /** A value that alone would pass the limit is not kept. */
  set(tenant: TenantId, key: string, value: V): void;
  delete(tenant: TenantId, key: string): void;
  /** All of a tenant's. */
  drop(tenant: TenantId): void;
  clear(): void;
  readonly held: { entries: number; bytes: number };
}

interface Entry<V> {
  value: V;
  bytes: number;
  at: number;
}

/** A tenant's entries, the least recently used first. */
interface Shelf<V> {
  entries: Map<string, Entry<V>>;
  bytes: number;
}

export const tenantCache = <V>({ entries, bytes, bytesOf, lastsMs, now }: TenantCacheLimits<V>): TenantCache<V> => {
  const shelves = new Map<TenantId, Shelf<V>>();
  const held = { entries: 0, bytes: 0 };

  const remove = (tenant: TenantId, key: string): void => {
    const shelf = shelves.get(tenant);
    const entry = shelf?.entries.get(key);
    if (!shelf || !entry) return;
    shelf.entries.delete(key);
    shelf.bytes -= entry.bytes;
    held.entries--;
    held.bytes -= entry.bytes;
    if (shelf.entries.size === 0) shelves.delete(tenant);
  };

  const makeRoom = (sizeOf: (shelf: Shelf<V>) => number): void => {
    let fullest: { tenant: TenantId; size: number } | undefined;
    for (const [tenant, shelf] of shelves) {
      const size = sizeOf(shelf);
      if (!fullest || size > fullest.size) fullest = { tenant, size };
    }
    const oldest = fullest && shelves.get(fullest.tenant)?.entries.keys().next().value;
    if (fullest && oldest !== undefined) remove(fullest.tenant, oldest);
  };

  return {
    held,
    get: (tenant, key) => {
      const shelf = shelves.get(tenant);
      const entry = shelf?.entries.get(key);
      if (!shelf || !entry) return undefined;
      if (now() - entry.at >= lastsMs()) {
        remove(tenant, key);
        return undefined;
      }
      shelf.entries.delete(key);
      shelf.entries.set(key, entry);
      return entry.value;
    },
    set: (tenant, key, value) => {
      remove(tenant, key);
      const size = 2 * key.length + bytesOf(value);
      if (size > bytes) return;
      const shelf = shelves.get(tenant) ?? { entries: new Map<string, Entry<V>>(), bytes: 0 };
      shelves.set(tenant, shelf);
      shelf.entries.set(key, { value, bytes: size, at: now() });
      shelf.bytes += size;
      held.entries++;
      held.bytes += size;
      while (held.entries > entries) makeRoom((one) => one.entries.size);
      while (held.bytes > bytes) makeRoom((one) => one.bytes);
    },
    delete: remove,
    drop: (tenant) => {
      for (const key of [...(shelves.get(tenant)?.entries.keys() ?? [])]) remove(tenant, key);
    },
    clear: () => {
      shelves.clear();
      Object.assign(held, { entries: 0, bytes: 0 });
    },
  };
};
