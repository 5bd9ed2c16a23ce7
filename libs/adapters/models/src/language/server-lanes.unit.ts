import { describe, expect, it } from 'vitest';
import { concurrencyLimit } from './concurrency-limit.js';
import { ModelFailure } from './model-failure.js';
import { laneTo, serverLane } from './server-lanes.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that end when they are told to, and the order in which they began. */
const calls = () => {
  const begun: string[] = [];
  const open = new Map<string, (error?: Error) => void>();
  const call = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve, reject) => open.set(name, (error) => (error ? reject(error) : resolve())));
  };
  const end = async (name: string, error?: Error) => {
    open.get(name)?.(error);
    await turn();
  };
  return { begun, call, end };
};
const busy = (retryAfter?: number) => new ModelFailure('busy', 'come back later', { retryAfter });

describe('the lane to a server', () => {
  it('is one for all models and tenants of an account there, and another for another key', () => {
    const lane = laneTo({ address: 'http://a', secret: 'k' });
    expect(laneTo({ address: 'http://a', secret: 'k' })).toBe(lane);
    expect(laneTo({ address: 'http://a', secret: 'other' })).not.toBe(lane);
    expect(laneTo({ address: 'http://b', secret: 'k' })).not.toBe(lane);
  });

  it('lets interactive calls go before bulk ones, and counts those that wait for nobody', async () => {
    const lane = serverLane(concurrencyLimit(1));
    const { begun, call, end } = calls();
    const ended = lane.beside();
    void lane.run(call('bulk'));
    void lane.run(call('interactive'), { urgency: 'interactive' });
    await turn();
    expect(begun).toEqual([]);
    ended();
    ended();
    await turn();
    expect(begun).toEqual(['interactive']);
    await end('interactive');
    expect(begun).toEqual(['interactive', 'bulk']);
  });

  it('sends fewer after a refusal', async () => {
    const lane = serverLane(concurrencyLimit(2));
    const { begun, call, end } = calls();
    const lost = lane.run(call('a')).catch((error: unknown) => error);
    for (const name of ['b', 'c']) void lane.run(call(name));
    await turn();
    await end('a', busy());
    expect(await lost).toBeInstanceOf(ModelFailure);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('is not cut by calls that fail otherwise', async () => {
    const limit = concurrencyLimit(2);
    const refused = serverLane(limit).run(() => Promise.reject(new ModelFailure('refused', 'no such model')));
    await expect(refused).rejects.toThrow('no such model');
    expect(limit.now).toBe(2);
  });

  it('holds everyone for as long as the server asks once a whole round was refused', async () => {
    const lane = serverLane(concurrencyLimit(4));
    const { begun, call, end } = calls();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) lane.run(call(name)).catch(() => {});
    await turn();
    for (const name of ['a', 'b', 'c']) await end(name, busy(0.05));
    const last = performance.now();
    await end('d', busy(0.05));
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    while (begun.length < 6) await turn();
    expect(performance.now() - last).toBeGreaterThan(45);
  });
});
