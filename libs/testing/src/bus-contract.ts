import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Changes,
  type Consumer,
  type DomainEvent,
  MAX_DELIVERIES,
  type Observers,
  TenantId,
} from '@postmaster/contracts';
import { type Database, listDeadLetters, once, outboxBell, processBell, publish, revive } from '@postmaster/durable';
import { sql } from 'kysely';
import { until } from './delivery.js';
import { durableRows } from './durable-rows.js';

export interface BusUnderTest {
  db: Database<unknown>;
  delivery: Observers & { subscribe(consumer: Consumer): void; start(): void; stop(): Promise<void> };
  /** As each replica of a service has it for itself. */
  changes: Changes;
  /** Makes what waits for its next try due, where the bus does not wait briefly anyway. */
  hurry(): Promise<unknown>;
  /** Ends delivery and forgets all events. */
  close(): Promise<void>;
}

/** The rows of a service that delivers, and a table for what its handlers write. */
export const busRows = durableRows('test', async (db) => {
  await sql`create table test.seen (document text)`.execute(db);
  await sql`grant all on test.seen to postmaster_app`.execute(db);
});

type Progress = DomainEvent<'document.progressed'>;
const TENANT = TenantId.parse('tenant-a');

/** What every bus does. `make` gives a new one on the rows of `busRows`, with no events and not yet started. */
export const busContract = (name: string, make: () => Promise<BusUnderTest>): void => {
  describe(`${name} as a bus`, () => {
    let bus: BusUnderTest;
    beforeEach(async () => {
      bus = await make();
    });
    afterEach(() => bus.close());

    const send = (document: string): Promise<void> =>
      bus.db.asTenant(TENANT, (tx) => publish(tx, TENANT, 'document.progressed', { document, version: 1 }));
    const deliverTo = (...handlers: Record<string, (event: Progress) => Promise<unknown>>[]): void => {
      for (const [consumer, handle] of handlers.flatMap((one) => Object.entries(one)))
        bus.delivery.subscribe({
          name: `test.${consumer}`,
          types: ['document.progressed'],
          handle: async (event) => void (await handle(event as Progress)), // of the one type that it takes
        });
      bus.delivery.start();
    };
    const unpublished = async (): Promise<number> => {
      const { rows } = await bus.db.asSystem((tx) =>
        sql<{ count: number }>`select count(*)::int as count from outbox where published_at is null`.execute(tx),
      );
      return rows[0]?.count ?? -1;
    };
    const sendAllAgain = async (): Promise<void> => {
      await bus.db.asSystem((tx) => sql`update outbox set published_at = null, available_at = now()`.execute(tx));
      processBell.ring(outboxBell(busRows.schema));
    };

    it('gives every event to every consumer of its type', async () => {
      const seen: Record<string, string[]> = { one: [], two: [] };
      deliverTo(
        { one: async ({ data }) => seen.one?.push(data.document) },
        { two: async ({ data }) => seen.two?.push(data.document) },
      );
      await send('d1');
      await send('d2');
      await until(() => seen.one?.length === 2 && seen.two?.length === 2);
      expect([seen.one?.sort(), seen.two?.sort()]).toEqual([
        ['d1', 'd2'],
        ['d1', 'd2'],
      ]);
      await until(async () => (await unpublished()) === 0);
    });

    it('gives an event as it was published', async () => {
      const seen: Progress[] = [];
      deliverTo({ one: async (event) => seen.push(event) });
      await send('d1');
      await until(() => seen.length === 1);
      const { rows } = await bus.db.asSystem((tx) =>
        sql<{ id: string; created_at: Date }>`select id, created_at from outbox`.execute(tx),
      );
      expect(seen[0]).toMatchObject({
        ...{ id: rows[0]?.id, time: rows[0]?.created_at.toISOString(), tenant: TENANT },
        ...{ type: 'document.progressed', data: { document: 'd1', version: 1 } },
      });
    });

    it('does not give out what a transaction rolled back', async () => {
      const seen: string[] = [];
      deliverTo({ one: async ({ data }) => seen.push(data.document) });
      await bus.db
        .asTenant(TENANT, async (tx) => {
          await publish(tx, TENANT, 'document.progressed', { document: 'never', version: 1 });
          throw new Error('rolled back');
        })
        .catch(() => undefined);
      await send('d1');
      await until(() => seen.length > 0);
      expect(seen).toEqual(['d1']);
    });

    it('has one effect of an event that it gives out 100 times', async () => {
      let handled = 0;
      deliverTo({
        once: async (event) => {
          await once(bus.db, 'test.once', event, async (tx) => {
            await sql`insert into seen values (${event.data.document})`.execute(tx);
          });
          handled++;
        },
      });
      await send('again');
      for (let times = 1; times < 100; times++) {
        await until(() => handled === times);
        await until(async () => (await unpublished()) === 0);
        await sendAllAgain();
      }
      await until(() => handled === 100);
      const { rows } = await bus.db.asTenant(TENANT, (tx) =>
        sql`select * from seen where document = 'again'`.execute(tx),
      );
      expect(rows).toHaveLength(1);
    });

    it('buries what a consumer keeps refusing, lets its neighbours pass, and sends it again when asked', async () => {
      const seen: string[] = [];
      let broken = true;
      let tries = 0;
      deliverTo({
        picky: async ({ data }) => {
          if (data.document === 'poison' && broken) {
            tries++;
            throw new Error('can not');
          }
          seen.push(data.document);
        },
      });
      await send('poison');
      const began = Date.now();
      await send('fine');
      await until(() => seen.includes('fine'));
      expect(Date.now() - began).toBeLessThan(1_000);
      await until(async () => {
        await bus.hurry();
        return (await listDeadLetters(bus.db, TENANT)).length === 1;
      });
      expect(tries).toBe(MAX_DELIVERIES);
      broken = false;
      const [letter] = await listDeadLetters(bus.db, TENANT);
      expect(letter).toMatchObject({ name: 'test.picky', source: 'event', failure: { code: 'INTERNAL' } });
      await bus.db.asTenant(TENANT, (tx) => revive(tx, TENANT, { ids: [letter?.id ?? ''] }));
      await until(() => seen.includes('poison'));
      expect(await listDeadLetters(bus.db, TENANT)).toEqual([]);
    });

    it('shows observers the events of their tenant from then on', async () => {
      const seen: string[] = [];
      deliverTo();
      const stop = bus.delivery.observe(TENANT, ({ type }) => void seen.push(type));
      const elsewhere = bus.delivery.observe(TenantId.parse('tenant-b'), ({ type }) => void seen.push(type));
      await send('d1');
      await until(() => seen.length === 1);
      stop();
      await send('d2');
      await until(async () => (await unpublished()) === 0);
      elsewhere();
      expect(seen).toEqual(['document.progressed']);
    });

    it('tells every follower the changes of all tenants, of its types alone', async () => {
      const heard: string[] = [];
      let begun = 0;
      const follow = (name: string) =>
        bus.changes.follow(['document.progressed'], {
          see: ({ tenant, data }) => void heard.push(`${name}: ${tenant} ${data.document}`),
          again: () => void begun++,
        });
      const followers = [follow('one'), follow('two')];
      deliverTo();
      await until(() => begun === 2 && followers.every((one) => one.hears()));
      await bus.db.asTenant(TENANT, (tx) => publish(tx, TENANT, 'document.deleted', { document: 'd0', version: 1 }));
      await send('d1');
      await until(() => heard.length >= 2);
      for (const one of followers) one.stop();
      await send('d2');
      await until(async () => (await unpublished()) === 0);
      expect(heard.sort()).toEqual(['one: tenant-a d1', 'two: tenant-a d1']);
    });
  });
};
