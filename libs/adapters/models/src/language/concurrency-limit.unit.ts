import { describe, expect, it } from 'vitest';
import { seeded } from '@postmaster/testing';
import { concurrencyLimit } from './concurrency-limit.js';

interface Server {
  latencyMs: number;
  /** Calls that it works on at once. */
  places: number;
  above: 'refuses' | 'queues';
  /** Share by which times differ. */
  spread?: number;
}

/** A client with endless work against a server, in virtual time; a refusal takes 5 ms. */
const simulate = (server: () => Server, seconds: number, limit = concurrencyLimit()) => {
  const random = seeded(7);
  const calls: { ends: number; began: number; full: boolean; epoch: number; refused: boolean }[] = [];
  const count = { answered: 0, refused: 0 };
  let busyUntil: number[] = [];
  let now = 0;
  const send = (): void => {
    const { latencyMs, places, above, spread = 0 } = server();
    const takes = latencyMs * (1 + spread * (2 * random() - 1));
    busyUntil = busyUntil.filter((end) => end > now).sort((a, b) => a - b);
    const refused = above === 'refuses' && busyUntil.length >= places;
    const starts = busyUntil.length < places ? now : busyUntil[busyUntil.length - places]!;
    const ends = refused ? now + 5 : starts + takes;
    if (!refused) busyUntil.push(ends);
    calls.push({ ends, began: now, full: calls.length + 1 >= limit.now, epoch: limit.epoch, refused });
  };
  while (now < seconds * 1000) {
    while (calls.length < limit.now) send();
    calls.sort((a, b) => a.ends - b.ends);
    const { ends, began, full, epoch, refused } = calls.shift()!;
    now = ends;
    if (refused) limit.refused(epoch);
    else limit.answered({ epoch, full, ms: now - began });
    count[refused ? 'refused' : 'answered']++;
  }
  const { latencyMs, places } = server();
  return {
    limit: limit.now,
    kept: count.answered / ((places * seconds * 1000) / latencyMs),
    wasted: count.refused / (count.answered + count.refused),
  };
};

describe('a limit of concurrent calls', () => {
  it.each([2, 4, 12, 20, 60].flatMap((places) => [0, 0.5].map((spread) => [places, spread] as const)))(
    'finds %i places that a server does not name, its times differing by %f, and wastes few calls',
    (places, spread) => {
      const { kept, wasted } = simulate(() => ({ latencyMs: 300, places, above: 'refuses', spread }), places < 4 ? 240 : 60);
      expect(kept).toBeGreaterThan(0.85);
      expect(wasted).toBeLessThan(0.02);
    },
  );

  it.each([1, 4, 20, 60].flatMap((places) => [0, 0.5].map((spread) => [places, spread] as const)))(
    'keeps %i places of a server that queues busy, its times differing by %f, with a short queue',
    (places, spread) => {
      const { kept, limit } = simulate(() => ({ latencyMs: 300, places, above: 'queues', spread }), 60);
      expect(kept).toBeGreaterThan(0.95);
      expect(limit).toBeLessThanOrEqual(Math.max(8, 2.5 * places));
    },
  );

  it('follows a server that gets more places, or fewer', () => {
    const server: Server = { latencyMs: 300, places: 8, above: 'refuses' };
    const limit = concurrencyLimit();
    simulate(() => server, 30, limit);
    server.places = 24;
    simulate(() => server, 30, limit);
    expect(simulate(() => server, 30, limit).kept).toBeGreaterThan(0.85);
    server.places = 8;
    simulate(() => server, 10, limit);
    expect(simulate(() => server, 60, limit)).toMatchObject({ limit: expect.closeTo(8, -0.5) });
  });

  it('does not take longer replies for a queue for ever', () => {
    const server: Server = { latencyMs: 100, places: 100, above: 'queues' };
    const limit = concurrencyLimit(16);
    simulate(() => server, 5, limit);
    server.latencyMs = 400;
    expect(simulate(() => server, 60, limit).limit).toBeGreaterThan(50);
  });

  it('counts one cut for all calls that were under way, and never goes below one', () => {
    const limit = concurrencyLimit(20);
    for (let i = 0; i < 20; i++) limit.refused(0);
    expect(limit.now).toBe(10);
    for (let epoch = 1; epoch < 40; epoch++) limit.refused(epoch);
    expect(limit.now).toBe(1);
  });

  it('does not grow while fewer calls run than might', () => {
    const limit = concurrencyLimit(4);
    for (let i = 0; i < 100; i++) limit.answered({ epoch: 0, full: false, ms: 100 });
    expect(limit.now).toBe(4);
  });
});
