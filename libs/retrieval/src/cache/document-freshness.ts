import type { Changes, TenantId } from '@postmaster/contracts';

/** What a cache of things made from documents has to know of them. */
export interface Freshness {
  /** How long an entry may be given, in milliseconds, as far as is heard of changes now. */
  lastsMs(): number;
  /** What was begun at that moment is of the tenant's documents as they are now. */
  holds(tenant: TenantId, began: number): boolean;
  /** Called when a tenant's documents changed; without a tenant, when any may have. */
  onChange(act: (tenant?: TenantId) => void): void;
}

/** A change that no event told of (a broken route between brokers) is seen after this long. */
export const HEARING_MS = 300_000;
/** The same while no events come at all. */
export const DEAF_MS = 5_000;
/** From an event to the moment when the index answers by it, where another service still has to write: a new version. */
const SETTLES_MS = 2_000;

/** Every event after which a search may find something else. */
export const CHANGING = ['paragraphs.indexed', 'version.activated', 'document.deleted', 'document.forgotten'] as const;

/** Follows the changes of all tenants' documents; without `changes` nothing is ever heard. `now`: milliseconds. */
export const documentFreshness = (changes: Changes | undefined, now: () => number): Freshness => {
  const acts: ((tenant?: TenantId) => void)[] = [];
  const changed = new Map<TenantId, number>();
  let allChanged = -Infinity;
  const following = changes?.follow(CHANGING, {
    see: ({ tenant }) => {
      changed.set(tenant, now());
      for (const act of acts) act(tenant);
    },
    again: () => {
      changed.clear();
      allChanged = now();
      for (const act of acts) act();
    },
  });
  return {
    lastsMs: () => (following?.hears() ? HEARING_MS : DEAF_MS),
    holds: (tenant, began) => began - Math.max(allChanged, changed.get(tenant) ?? -Infinity) > SETTLES_MS,
    onChange: (act) => void acts.push(act),
  };
};
