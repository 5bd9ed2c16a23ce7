import { afterAll, describe, expect, it } from 'vitest';
import { failure, hopeless, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { durableRows } from '@postmaster/testing';
import { createMetrics, watchRows } from '@postmaster/service';
import { sql } from 'kysely';
import { claim, databaseOf, dueEvents, enqueue, markPublished, publish, rowFigures, settle } from './index.js';

const A = TenantId.parse('tenant-a');
const B = TenantId.parse('tenant-b');

const memory = await openMemoryDatabase([durableRows('test')]);
const db = databaseOf<unknown>(memory.kysely, 'test');

const ask = (tenant: TenantId, kind: string, key: string, lane: 'interactive' | 'bulk'): Promise<void> =>
  db.asTenant(tenant, (tx) => enqueue(tx, tenant, [{ kind, key, document: 'd', version: 1, lane }]));
const tell = (tenant: TenantId): Promise<void> =>
  db.asTenant(tenant, (tx) => publish(tx, tenant, 'document.progressed', { document: 'd', version: 1 }));

describe("the figures of a service's rows", () => {
  afterAll(() => memory.close());

  it('are all zero where nothing waits', async () => {
    expect(await rowFigures(db)).toEqual({ jobs: [], outbox: { count: 0, oldestSeconds: 0 }, deadLetters: [] });
  });

  it('count what waits and what is in hand, of every tenant, and no event that has gone out', async () => {
    await ask(A, 'parse', 'gone', 'bulk');
    const [job] = await claim(db, { kind: 'parse', limit: 1, leaseMs: 60_000, ageingMs: 60_000, served: [] });
    if (job) await db.asTenant(A, (tx) => settle(tx, job, hopeless(failure('INTERNAL', 'It broke.'))));
    await ask(A, 'parse', 'one', 'bulk');
    await ask(B, 'parse', 'two', 'bulk');
    await ask(B, 'parse', 'three', 'interactive');
    await ask(A, 'erase', 'four', 'bulk');
    await claim(db, { kind: 'erase', limit: 1, leaseMs: 60_000, ageingMs: 60_000, served: [] });
    for (const tenant of [A, A, B]) await tell(tenant);
    const [out] = await dueEvents(db, 1);
    await markPublished(db, [out?.event.id ?? '']);
    await db.asSystem(async (tx) => {
      await sql`update jobs set created_at = now() - interval '90 seconds' where key = 'two'`.execute(tx);
      await sql`update outbox set created_at = now() - interval '30 seconds' where tenant = ${B}`.execute(tx);
    });

    const { jobs, outbox, deadLetters } = await rowFigures(db);
    expect(jobs.map(({ kind, lane, count }) => `${kind} ${lane} ${count}`).sort()).toEqual([
      'erase bulk 1',
      'parse bulk 2',
      'parse interactive 1',
    ]);
    const oldest = Math.max(...jobs.map((one) => one.oldestSeconds));
    expect([oldest, outbox.oldestSeconds].map((seconds) => Math.round(seconds / 10))).toEqual([9, 3]);
    expect(outbox.count).toBe(2);
    expect(deadLetters).toEqual([{ source: 'job', name: 'parse', count: 1 }]);
  });

  it('are what the metrics of the process tell', async () => {
    const metrics = createMetrics('standalone');
    watchRows(metrics, { ingestion: () => rowFigures(db) });
    const told = await metrics.registry.metrics();
    expect(told).toContain('postmaster_pending_jobs{service="ingestion",kind="parse",lane="bulk"} 2');
    expect(told).toContain('postmaster_outbox_pending{service="ingestion"} 2');
    expect(told).toContain('postmaster_dead_letters{service="ingestion",source="job",name="parse"} 1');
    expect(told).toMatch(/postmaster_oldest_job_seconds\{service="ingestion",kind="parse"\} 9\d/);
  });
});
