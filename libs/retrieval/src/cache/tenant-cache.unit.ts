import { describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { seeded } from '@postmaster/testing';
import { tenantCache, type TenantCacheLimits } from './tenant-cache.js';

const [ours, theirs] = ['ours', 'theirs'].map((name) => TenantId.parse(name)) as [TenantId, TenantId];

const make = (limits: Partial<TenantCacheLimits<string>> = {}) => {
  const clock = { ms: 0 };
  const cache = tenantCache<string>({
    ...{ entries: 4, bytes: 1_000, bytesOf: (value: string) => value.length, lastsMs: () => 100, now: () => clock.ms },
    ...limits,
  });
  const keys = (tenant: TenantId, of = 'abcdefgh') => [...of].filter((key) => cache.get(tenant, key)).join('');
  return { cache, clock, keys };
};

describe('a cache of tenants', () => {
  it('gives up what was used least recently', () => {
    const { cache, keys } = make();
    for (const key of 'abcd') cache.set(ours, key, key);
    cache.get(ours, 'a');
    cache.set(ours, 'e', 'e');
    expect(keys(ours)).toBe('acde');
  });

  it('takes room from the tenant that holds the most, however busy it is', () => {
    const { cache, keys } = make();
    for (const key of 'ab') cache.set(theirs, key, key);
    for (const key of 'abcdefgh') cache.set(ours, key, key);
    expect([keys(theirs), keys(ours)]).toEqual(['ab', 'gh']);
  });

  it('counts bytes, keys included, and keeps nothing that is too large', () => {
    const { cache, keys } = make({ bytes: 30 });
    cache.set(ours, 'a', 'x'.repeat(8));
    cache.set(ours, 'b', 'x'.repeat(8));
    cache.set(ours, 'c', 'x'.repeat(29));
    expect([keys(ours), cache.held]).toEqual(['ab', { entries: 2, bytes: 20 }]);
    cache.set(ours, 'd', 'x'.repeat(9));
    expect([keys(ours), cache.held]).toEqual(['bd', { entries: 2, bytes: 21 }]);
  });

  it('forgets with time, which may grow shorter', () => {
    const lasts = { ms: 100 };
    const { cache, clock, keys } = make({ lastsMs: () => lasts.ms });
    cache.set(ours, 'a', 'a');
    clock.ms = 99;
    expect(keys(ours)).toBe('a');
    lasts.ms = 50;
    expect(keys(ours)).toBe('');
    expect(cache.held).toEqual({ entries: 0, bytes: 0 });
  });

  it('drops a tenant alone, and all', () => {
    const { cache, keys } = make();
    for (const tenant of [ours, theirs]) cache.set(tenant, 'a', tenant);
    cache.drop(ours);
    expect([keys(ours), cache.get(theirs, 'a')]).toEqual(['', 'theirs']);
    cache.clear();
    expect(keys(theirs)).toBe('');
  });

  it('stays within its limits and knows what it holds, whatever is done to it', () => {
    const random = seeded(5);
    const draw = (below: number): number => Math.floor(random() * below);
    const { cache, clock } = make({ entries: 6, bytes: 60 });
    for (let i = 0; i < 2_000; i++) {
      clock.ms += draw(20);
      const tenant = draw(3) === 0 ? theirs : ours;
      const key = String(draw(12));
      const act = draw(10);
      if (act < 6) cache.set(tenant, key, 'x'.repeat(draw(40)));
      else if (act < 8) cache.get(tenant, key);
      else if (act < 9) cache.delete(tenant, key);
      else cache.drop(tenant);
      expect(cache.held.entries).toBeLessThanOrEqual(6);
      expect(cache.held.bytes).toBeLessThanOrEqual(60);
    }
    for (const tenant of [ours, theirs]) cache.drop(tenant);
    expect(cache.held).toEqual({ entries: 0, bytes: 0 });
  });
});
