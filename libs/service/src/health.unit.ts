import { describe, expect, it } from 'vitest';
import { createMetrics, healthAnswers } from './index.js';

describe('health', () => {
  it('is live whatever its neighbours do, and ready only when all of them answer', async () => {
    let database = true;
    const answer = healthAnswers({
      checks: { database: () => (database ? 1 : Promise.reject(new Error('secret host'))) },
    });
    expect(await answer('/health/ready')).toMatchObject({ status: 200 });
    database = false;
    const down = await answer('/health/ready');
    expect(down?.status).toBe(503);
    expect(JSON.parse(down?.body ?? '')).toEqual({ ready: false, accepting: true, checks: { database: 'failed' } });
    expect(await answer('/health/live')).toMatchObject({ status: 200, body: '{"live":true}' });
  });

  it('is not ready while a check takes too long', async () => {
    const answer = healthAnswers({ checks: { bus: () => new Promise(() => {}) }, checkTimeoutMs: 5 });
    expect(JSON.parse((await answer('/health/ready'))?.body ?? '')).toMatchObject({ checks: { bus: 'late' } });
  });

  it('is not ready before the start and after the stop', async () => {
    const answer = healthAnswers({ accepting: () => false });
    expect((await answer('/health/ready'))?.status).toBe(503);
  });

  it('leaves other paths alone', async () => {
    expect(await healthAnswers({})('/graphql')).toBeUndefined();
    expect(await healthAnswers({})('/metrics')).toBeUndefined();
  });

  it('tells what was counted, under the name of the service', async () => {
    const metrics = createMetrics('retrieval');
    metrics.jobs.inc({ kind: 'parse', outcome: 'done' }, 3);
    metrics.searchSeconds.observe({ phase: 'fuse' }, 0.002);
    const told = (await healthAnswers({ metrics })('/metrics'))?.body;
    expect(told).toContain('postmaster_jobs_total{kind="parse",outcome="done",service="retrieval"} 3');
    expect(told).toContain('postmaster_search_seconds_count{service="retrieval",phase="fuse"} 1');
    expect(told).toContain('process_resident_memory_bytes');
  });
});
