import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { durableRows, until } from '@postmaster/testing';
import { sql } from 'kysely';
import { databaseOf, runWorker, type Worker } from './index.js';

const TENANT = TenantId.parse('tenant-a');
const memory = await openMemoryDatabase([durableRows('test')]);
const db = databaseOf<unknown>(memory.kysely, 'test');
const workers: Worker[] = [];
const worked: string[] = [];

const work = (kind: string): void =>
  void workers.push(
    runWorker({
      ...{ db, kind, slots: 1, batch: 8 },
      work: async (_, jobs) => {
        worked.push(...jobs.map(({ key }) => `${kind} ${key}`));
        return { outcomes: new Map() };
      },
    }),
  );

/** As another process leaves it: nobody rings here. */
const left = (kind: string, key: string, state: 'ready' | 'leased'): Promise<unknown> =>
  db.asTenant(TENANT, (tx) =>
    sql`insert into jobs (tenant, kind, key, document, version, lane, state, leased_until)
        values (${TENANT}, ${kind}, ${key}, 'd', 1, 'bulk', ${state}, now() - interval '1 second')`.execute(tx),
  );

describe('work that nobody rang for', () => {
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    worked.length = 0;
  });
  afterAll(() => memory.close());

  it('is found, of every kind that is worked on, and so is what a killed process had in hand', async () => {
    work('test.one');
    work('test.two');
    await left('test.one', 'ready', 'ready');
    await left('test.two', 'ready', 'ready');
    await left('test.two', 'lapsed', 'leased');
    await left('test.three', 'nobody', 'ready');
    await until(() => worked.length === 3);
    expect(worked.sort()).toEqual(['test.one ready', 'test.two lapsed', 'test.two ready']);
  });

  it('is found by those who go on when another stops', async () => {
    work('test.one');
    work('test.two');
    await workers.shift()?.stop();
    await left('test.one', 'left', 'ready');
    await left('test.two', 'found', 'ready');
    await until(() => worked.length === 1);
    expect(worked).toEqual(['test.two found']);
  });
});
