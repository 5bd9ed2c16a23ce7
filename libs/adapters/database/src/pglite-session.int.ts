import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { type Database, databaseOf } from '@postmaster/durable';
import { durableRows } from '@postmaster/testing';
import { sql } from 'kysely';
import { startMemoryThread } from './memory-database.js';
import { migrate } from './migrate.js';
import { kyselyOver } from './open-pglite.js';
import type { PgliteThread } from './pglite-thread.js';

const TENANT = TenantId.parse('tenant-a');

describe('a session of the embedded database', () => {
  let thread: PgliteThread;
  let db: Database<unknown>;
  let kysely: ReturnType<typeof kyselyOver>;
  let trips = 0;
  const taken = async (work: () => Promise<unknown>): Promise<number> => {
    const before = trips;
    await work();
    return trips - before;
  };
  const inbox = (event: string) => sql`
    insert into inbox (consumer, event, tenant) values ('c', ${event}::uuid, ${TENANT})`;
  const events = async (): Promise<number> => {
    const { rows } = await db.oneAsTenant(
      TENANT,
      sql<{ n: number }>`select count(*)::int as n from inbox where consumer = ${'c'}`,
    );
    return rows[0]?.n ?? -1;
  };
  const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

  beforeAll(async () => {
    thread = await startMemoryThread();
    kysely = kyselyOver({
      ...thread,
      protocol: (bytes) => {
        trips++;
        return thread.protocol(bytes);
      },
    });
    await migrate(kysely, [durableRows('test')]);
    db = databaseOf<unknown>(kysely, 'test');
    await events(); // the first use of a session makes it a plain one
  }, 60_000);
  afterAll(async () => {
    await kysely.destroy();
    await thread.close();
  });

  it('lets transactions of one trip go ahead of those that wait, but not without end', async () => {
    const done: string[] = [];
    const note = (name: string) => () => done.push(name);
    const look = sql`select 1 from inbox where consumer = ${'c'}`;
    let go = (): void => {};
    const open = new Promise<void>((resolve) => (go = resolve));
    let held: Promise<void> | undefined;
    await new Promise<void>((begun) => {
      held = db.asSystem(() => (begun(), open));
    });
    const waiting = ['long 1', 'long 2'].map((name) => db.asSystem((tx) => look.execute(tx)).then(note(name)));
    const short = Array.from({ length: 9 }, (_, at) => db.oneAsSystem(look).then(note(`short ${at}`)));
    await new Promise((resolve) => setImmediate(resolve)); // all stand in line
    go();
    await Promise.all([held, ...waiting, ...short]);
    const ahead = Array.from({ length: 8 }, (_, at) => `short ${at}`);
    expect(done).toEqual([...ahead, 'long 1', 'short 8', 'long 2']);
  });

  it('takes one trip for a transaction of one statement, and none for how another begins', async () => {
    expect(await taken(() => db.oneAsTenant(TENANT, inbox(uuid(1))))).toBe(1);
    const two = () =>
      db.asTenant(TENANT, async (tx) => {
        await inbox(uuid(2)).execute(tx);
        await inbox(uuid(3)).execute(tx);
      });
    expect(await taken(two)).toBe(3); // two statements and the commit
    expect(await events()).toBe(3);
  });

  it('keeps nothing of a transaction whose first, only or later statement fails, and goes on', async () => {
    const again = inbox(uuid(1));
    await expect(db.oneAsTenant(TENANT, again)).rejects.toMatchObject({ code: '23505' });
    const later = db.asTenant(TENANT, async (tx) => {
      await inbox(uuid(4)).execute(tx);
      await again.execute(tx);
    });
    await expect(later).rejects.toMatchObject({ code: '23505' });
    await expect(db.asTenant(TENANT, (tx) => again.execute(tx))).rejects.toMatchObject({ code: '23505' });
    expect(await events()).toBe(3);
  });

  it('refuses a tenant that is closed even where a transaction asks for nothing', async () => {
    const closed = TenantId.parse('closed');
    await db.evenClosed(closed, (tx) => sql`select close_tenant()`.execute(tx));
    await expect(db.asTenant(closed, async () => {})).rejects.toMatchObject({ code: 'TENANT_DELETED' });
    await expect(db.oneAsTenant(closed, inbox(uuid(5)))).rejects.toMatchObject({ code: 'TENANT_DELETED' });
  });

  it('sees the rows of its tenant and its role alone, however often a statement came before for others', async () => {
    const seen = sql<{ tenant: string }>`select tenant from inbox where consumer = ${'c'} limit ${1}`;
    for (let i = 0; i < 8; i++) {
      expect((await db.oneAsTenant(TENANT, seen)).rows).toEqual([{ tenant: TENANT }]);
      expect((await db.oneAsTenant(TenantId.parse('other'), seen)).rows).toEqual([]);
      expect((await db.oneAsSystem(seen)).rows).toEqual([{ tenant: TENANT }]);
    }
  });

  it('takes what failed once as it came, and what is prepared anew when many others came between', async () => {
    const one = (n: number) => db.oneAsSystem(sql<{ n: number }>`select ${n}::int / ${n}::int as n`);
    await one(1);
    await one(1);
    await expect(one(0)).rejects.toMatchObject({ code: '22012' });
    for (let i = 0; i < 250; i++) await db.oneAsSystem(sql`select ${i}::int as ${sql.ref(`column_${i}`)}`);
    expect((await one(2)).rows).toEqual([{ n: 1 }]);
    expect((await one(2)).rows).toEqual([{ n: 1 }]);
  });

  it('gives and takes values of every kind that rows have', async () => {
    const given = {
      list: ['a"b\\c', '{x}', null, 'NULL', 'å,ø'],
      none: [] as string[],
      moment: new Date('2026-01-02T03:04:05.678Z'),
      bytes: Buffer.from([0, 255, 10]),
      json: JSON.stringify({ a: [1, 'é'] }),
      flag: true,
      big: 9_007_199_254_740_993n,
    };
    const { rows } = await db.oneAsSystem(sql`select ${given.list}::text[] as list, ${given.none}::text[] as none,
      ${given.moment}::timestamptz as moment, ${given.bytes}::bytea as bytes, ${given.json}::json as json,
      ${given.flag}::bool as flag, ${given.big}::bigint as big, ${null}::text as nothing`);
    expect(rows).toEqual([{ ...given, json: { a: [1, 'é'] }, big: String(given.big), nothing: null }]);
  });
});
