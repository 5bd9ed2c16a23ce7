import { describe, expect, it } from 'vitest';
import { createLifecycle, createLog } from './index.js';

const silent = createLog({ name: 'test', level: 'silent', pretty: false });
const never = () => new Promise<void>(() => {});

describe('a process that stops', () => {
  it('turns requests away first, then stops http, workers, drain and pools, each when the one before is done', async () => {
    const lifecycle = createLifecycle({ log: silent, limitMs: 5_000 });
    const order: string[] = [];
    for (const phase of ['pools', 'drain', 'http', 'workers'] as const)
      lifecycle.onShutdown(phase, phase, async () => {
        order.push(`${phase} begins, accepting ${lifecycle.accepting()}`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${phase} ends`);
      });
    expect(lifecycle.accepting()).toBe(false);
    lifecycle.started();
    expect(lifecycle.accepting()).toBe(true);
    expect(await lifecycle.stop()).toBe(true);
    expect(order).toEqual(
      ['http', 'workers', 'drain', 'pools'].flatMap((phase) => [`${phase} begins, accepting false`, `${phase} ends`]),
    );
  });

  it('goes on where a part fails to stop', async () => {
    const lifecycle = createLifecycle({ log: silent, limitMs: 5_000 });
    let poolsClosed = false;
    lifecycle.onShutdown('http', 'broken', () => Promise.reject(new Error('no')));
    lifecycle.onShutdown('pools', 'pool', () => void (poolsClosed = true));
    expect(await lifecycle.stop()).toBe(true);
    expect(poolsClosed).toBe(true);
  });

  it('gives up after its time, and says so', async () => {
    const lifecycle = createLifecycle({ log: silent, limitMs: 10 });
    lifecycle.onShutdown('drain', 'stuck', never);
    expect(await lifecycle.stop()).toBe(false);
  });

  it('stops once, however often it is asked', async () => {
    const lifecycle = createLifecycle({ log: silent, limitMs: 5_000 });
    let stops = 0;
    lifecycle.onShutdown('http', 'server', () => void stops++);
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    lifecycle.started();
    expect([stops, lifecycle.accepting()]).toEqual([1, false]);
  });

  it('ends gracefully on the first signal and at once on the second', async () => {
    const lifecycle = createLifecycle({ log: silent, limitMs: 5_000 });
    let release = () => {};
    lifecycle.onShutdown('drain', 'slow', () => new Promise<void>((resolve) => (release = resolve)));
    const codes: number[] = [];
    const ended = new Promise<void>((resolve) => {
      lifecycle.followSignals((code) => {
        codes.push(code);
        if (codes.length === 2) resolve();
      });
    });
    process.emit('SIGTERM', 'SIGTERM');
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes).toEqual([]);
    process.emit('SIGINT', 'SIGINT');
    expect(codes).toEqual([1]);
    release();
    await ended;
    expect(codes).toEqual([1, 0]);
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  });
});
