import { describe, expect, it } from 'vitest';
import { countJobs } from './count-jobs.js';
import { countModelCalls, createMetrics, type Metrics, type WaitingRows, watchRows } from './index.js';

const rows = (more: Partial<WaitingRows> = {}): WaitingRows => ({
  jobs: [],
  outbox: { count: 0, oldestSeconds: 0 },
  deadLetters: [],
  ...more,
});
const told = async ({ registry }: Metrics, name: string): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));

describe('waiting rows as metrics', () => {
  it('are told under the name of the service that owns them', async () => {
    const metrics = createMetrics('standalone');
    watchRows(metrics, {
      ingestion: async () =>
        rows({
          jobs: [
            { kind: 'parse', lane: 'interactive', count: 2, oldestSeconds: 3 },
            { kind: 'parse', lane: 'bulk', count: 5, oldestSeconds: 60 },
          ],
        }),
      embedding: async () =>
        rows({ outbox: { count: 4, oldestSeconds: 2 }, deadLetters: [{ source: 'job', name: 'index', count: 1 }] }),
    });
    expect(await told(metrics, 'postmaster_pending_jobs')).toEqual([
      'postmaster_pending_jobs{service="ingestion",kind="parse",lane="interactive"} 2',
      'postmaster_pending_jobs{service="ingestion",kind="parse",lane="bulk"} 5',
    ]);
    expect(await told(metrics, 'postmaster_oldest_job_seconds')).toEqual([
      'postmaster_oldest_job_seconds{service="ingestion",kind="parse"} 60',
    ]);
    expect(await told(metrics, 'postmaster_outbox')).toEqual([
      'postmaster_outbox_pending{service="ingestion"} 0',
      'postmaster_outbox_pending{service="embedding"} 4',
      'postmaster_outbox_oldest_seconds{service="ingestion"} 0',
      'postmaster_outbox_oldest_seconds{service="embedding"} 2',
    ]);
    expect(await told(metrics, 'postmaster_dead_letters')).toEqual([
      'postmaster_dead_letters{service="embedding",source="job",name="index"} 1',
    ]);
  });

  it('are counted once for all gauges, and not again within a few seconds', async () => {
    let looks = 0;
    const metrics = createMetrics('ingestion');
    watchRows(metrics, { ingestion: async () => rows({ outbox: { count: ++looks, oldestSeconds: 0 } }) });
    for (let scrape = 0; scrape < 3; scrape++)
      expect(await told(metrics, 'postmaster_outbox_pending')).toEqual([
        'postmaster_outbox_pending{service="ingestion"} 1',
      ]);
    expect(looks).toBe(1);
  });

  it('go to 0 when nothing of a kind waits any more', async () => {
    const jobs: WaitingRows['jobs'][number][] = [{ kind: 'parse', lane: 'bulk', count: 1, oldestSeconds: 1 }];
    const metrics = createMetrics('ingestion');
    watchRows(metrics, { ingestion: async () => rows({ jobs }) }, { everyMs: 0 });
    await told(metrics, 'postmaster_pending_jobs');
    jobs.length = 0;
    expect(await told(metrics, 'postmaster_pending_jobs')).toEqual([
      'postmaster_pending_jobs{service="ingestion",kind="parse",lane="bulk"} 0',
    ]);
  });

  it('of a database that does not answer are left out, and hold up neither the scrape nor the others', async () => {
    let state: 'well' | 'broken' | 'hanging' = 'well';
    const failed: string[] = [];
    const metrics = createMetrics('standalone');
    const broken = (): Promise<WaitingRows> =>
      state === 'well'
        ? Promise.resolve(rows())
        : state === 'broken'
          ? Promise.reject(new Error('gone'))
          : new Promise(() => undefined);
    watchRows(
      metrics,
      { ingestion: broken, embedding: async () => rows() },
      { everyMs: 0, waitMs: 20, onError: (_, service) => failed.push(service) },
    );
    const seen = async (): Promise<string[]> => told(metrics, 'postmaster_outbox_pending');
    expect(await seen()).toHaveLength(2);
    state = 'broken';
    expect(await seen()).toEqual(['postmaster_outbox_pending{service="embedding"} 0']);
    expect(failed).toEqual(['ingestion']);
    state = 'hanging';
    expect(await seen()).toEqual(['postmaster_outbox_pending{service="embedding"} 0']);
    expect(await told(metrics, 'process_resident_memory_bytes')).toHaveLength(1);
  });
});

describe('what workers and models tell', () => {
  it('is counted by outcome, with attempts only of jobs that have ended', async () => {
    const metrics = createMetrics('embedding');
    const count = countJobs(metrics);
    const why = { code: 'INTERNAL' as const, message: 'It broke.', next: '' };
    count({ kind: 'index', attempts: 1 }, { kind: 'retry', afterMs: 0, why }, { ms: 20, paused: false });
    count({ kind: 'index', attempts: 2 }, { kind: 'done' }, { ms: 20, paused: false });
    count({ kind: 'facets', attempts: 1 }, { kind: 'paused', afterMs: 0, why }, { ms: 20, paused: true });
    expect(await told(metrics, 'postmaster_job_attempts_sum')).toEqual([
      'postmaster_job_attempts_sum{service="embedding",kind="index"} 2',
    ]);
    expect(await told(metrics, 'postmaster_job_seconds_count')).toEqual([
      'postmaster_job_seconds_count{service="embedding",kind="index"} 2',
      'postmaster_job_seconds_count{service="embedding",kind="facets"} 1',
    ]);
    expect(await told(metrics, 'postmaster_worker_paused')).toEqual([
      'postmaster_worker_paused{kind="index",service="embedding"} 0',
      'postmaster_worker_paused{kind="facets",service="embedding"} 1',
    ]);
  });

  it('is counted in tokens where the model tells them', async () => {
    const metrics = createMetrics('enrichment');
    const count = countModelCalls(metrics, 'gpt');
    count(10, 'done', { inputTokens: 100, outputTokens: 20 });
    count(10, 'failed');
    expect(await told(metrics, 'postmaster_model_tokens_total')).toEqual([
      'postmaster_model_tokens_total{model="gpt",direction="in",service="enrichment"} 100',
      'postmaster_model_tokens_total{model="gpt",direction="out",service="enrichment"} 20',
    ]);
    expect(await told(metrics, 'postmaster_model_calls_total')).toHaveLength(2);
  });
});
