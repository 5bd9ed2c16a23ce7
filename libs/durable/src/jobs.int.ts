import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { done, failure, hopeless, later, paused, retry, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { durableRows } from '@postmaster/testing';
import { sql } from 'kysely';
import {
  claim,
  databaseOf,
  enqueue,
  type Job,
  listDeadLetters,
  type NewJob,
  releaseLapsed,
  revive,
  settle,
} from './index.js';
import { settleDone } from './settle.js';

const A = TenantId.parse('tenant-a');
const B = TenantId.parse('tenant-b');
const KIND = 'test.work';
const WHY = failure('INTERNAL', 'It broke.');

const memory = await openMemoryDatabase([durableRows('test')]);
const db = databaseOf<unknown>(memory.kysely, 'test');

const ask = (tenant: TenantId, key: string, more: Partial<NewJob> = {}): Promise<void> =>
  db.asTenant(tenant, (tx) =>
    enqueue(tx, tenant, [{ kind: KIND, key, document: 'd', version: 1, lane: 'bulk', ...more }]),
  );
const take = (limit: number, more: { leaseMs?: number; ageingMs?: number; served?: string[] } = {}): Promise<Job[]> =>
  claim(db, { kind: KIND, limit, leaseMs: 60_000, ageingMs: 3_600_000, served: [], ...more });
const end = (job: Job, outcome: Parameters<typeof settle>[2]): Promise<boolean> =>
  db.asTenant(job.tenant, (tx) => settle(tx, job, outcome));
const keys = (jobs: readonly Job[]): string[] => jobs.map((job) => job.key).sort();

describe('a job', () => {
  beforeAll(() => undefined);
  afterAll(() => memory.close());
  beforeEach(async () => {
    await db.asSystem(async (tx) => {
      await sql`delete from jobs`.execute(tx);
      await sql`delete from dead_letters`.execute(tx);
    });
  });

  it('is claimed by one worker at a time and gone when done', async () => {
    await ask(A, 'one');
    const [job] = await take(5);
    expect(await take(5)).toEqual([]);
    expect(job && (await end(job, done()))).toBe(true);
    expect(await take(5)).toEqual([]);
  });

  it('refuses the late settlement of a lapsed lease', async () => {
    await ask(A, 'one');
    const [late] = await take(1, { leaseMs: -1 });
    expect(await releaseLapsed(db, KIND)).toBe(1);
    const [now] = await take(1);
    if (!late || !now) throw new Error('nothing was claimed');
    expect(await end(late, done())).toBe(false);
    expect(await end(late, hopeless(WHY))).toBe(false);
    expect(await end(now, done())).toBe(true);
  });

  it('refuses every late settlement of 1,000 lapsed leases, however it comes out', async () => {
    const asked = Array.from({ length: 1_000 }, (_, i) => ({ kind: KIND, key: `${i}`, document: 'd', version: 1 }));
    await db.asTenant(A, (tx) =>
      enqueue(
        tx,
        A,
        asked.map((job) => ({ ...job, lane: 'bulk' })),
      ),
    );
    const late = await take(1_000, { leaseMs: -1 });
    expect(await releaseLapsed(db, KIND)).toBe(1_000);
    const now = await take(1_000);
    const outcomes = [done(), hopeless(WHY), retry(0, WHY), paused(0, WHY), later(0, WHY)];
    const settled = await db.asTenant(A, async (tx) => {
      const accepted = await settleDone(tx, late.slice(0, 500));
      for (const [i, job] of late.slice(500).entries())
        if (await settle(tx, job, outcomes[i % outcomes.length] ?? done())) accepted.add(job.id);
      return accepted;
    });
    expect(settled.size).toBe(0);
    expect(await listDeadLetters(db, A)).toEqual([]);
    expect((await db.asTenant(A, (tx) => settleDone(tx, now))).size).toBe(1_000);
  });

  it('leaves a lease that has not lapsed alone', async () => {
    await ask(A, 'one');
    await take(1);
    expect(await releaseLapsed(db, KIND)).toBe(0);
    expect(await releaseLapsed(db, KIND, true)).toBe(1);
  });

  it('goes round by tenant, however many of one tenant wait', async () => {
    for (let i = 0; i < 20; i++) await ask(A, `a${i}`);
    await ask(B, 'b0');
    await ask(B, 'b1');
    expect((await take(4)).map((job) => job.tenant).sort()).toEqual([A, A, B, B]);
  });

  it('takes the tenant served longest ago first when there is room for one', async () => {
    for (let i = 0; i < 3; i++) await ask(A, `a${i}`);
    await ask(B, 'b0');
    expect((await take(1, { served: [A] })).map((job) => job.tenant)).toEqual([B]);
  });

  it('takes interactive before bulk, and bulk that has waited long like interactive', async () => {
    await ask(A, 'bulk');
    await ask(A, 'quick', { lane: 'interactive' });
    expect(keys(await take(1))).toEqual(['quick']);
    await ask(B, 'quick', { lane: 'interactive' });
    await db.asSystem((tx) =>
      sql`update jobs set created_at = now() - interval '1 hour', run_at = now() - interval '1 hour' where key = 'bulk'`.execute(
        tx,
      ),
    );
    expect(keys(await take(2, { ageingMs: 60_000 }))).toEqual(['bulk', 'quick']);
  });

  it('asked for twice is done once, in the more urgent lane and the newer version', async () => {
    await ask(A, 'one', { version: 1 });
    await ask(A, 'one', { version: 2, lane: 'interactive' });
    const jobs = await take(5);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({ version: 2, lane: 'interactive' });
  });

  it('asked for while it is being done is done once more', async () => {
    await ask(A, 'one');
    const [first] = await take(1);
    await ask(A, 'one', { version: 2 });
    expect(first && (await end(first, done()))).toBe(true);
    expect(await take(1)).toMatchObject([{ version: 2, attempts: 1 }]);
  });

  it('spends an attempt on a retry and none on a pause', async () => {
    await ask(A, 'one');
    for (const [outcome, attempts] of [
      [retry(0, WHY), 2],
      [paused(0, WHY), 2],
      [later(0, WHY), 2],
    ] as const) {
      const [job] = await take(1);
      expect(job && (await end(job, outcome))).toBe(true);
      const [again] = await take(1);
      expect(again?.attempts).toBe(attempts);
      if (again) await end(again, later(0, WHY));
    }
  });

  it('that is hopeless becomes a dead letter, and starts afresh when it is sent again', async () => {
    await ask(A, 'one');
    const [job] = await take(1);
    if (job) await end(job, hopeless(WHY));
    expect(await take(1)).toEqual([]);
    const [letter] = await listDeadLetters(db, A);
    expect(letter).toMatchObject({ name: KIND, key: 'one', failure: WHY });
    expect(await listDeadLetters(db, B)).toEqual([]);
    expect(await db.asTenant(A, (tx) => revive(tx, A, { ids: [letter?.id ?? ''] }))).toBe(1);
    expect(await take(1)).toMatchObject([{ key: 'one', attempts: 1 }]);
    expect(await listDeadLetters(db, A)).toEqual([]);
  });
});
