import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type Consumer, type DomainEvent, MAX_DELIVERIES, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { createDurableTables, databaseOf, listDeadLetters, once, publish, revive } from '@postmaster/durable';
import { sql } from 'kysely';
import { type OutboxDelivery, outboxDelivery } from './index.js';

const TENANT = TenantId.parse('tenant-a');
const memory = await openMemoryDatabase([
  {
    schema: 'test',
    migrations: {
      '0001-delivery': {
        up: async (db) => {
          await createDurableTables(db, 'test');
          await sql`create table test.seen (document text)`.execute(db);
          await sql`grant all on test.seen to postmaster_app`.execute(db);
        },
      },
    },
  },
]);
const db = databaseOf<unknown>(memory.kysely, 'test');
let delivery: OutboxDelivery | undefined;

const send = (document: string): Promise<void> =>
  db.asTenant(TENANT, (tx) => publish(tx, TENANT, 'document.progressed', { document, version: 1 }));
const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10));
};
const deliverTo = (...consumers: Consumer<'document.progressed'>[]): OutboxDelivery => {
  delivery = outboxDelivery({ services: { test: db } });
  for (const consumer of consumers) delivery.subscribe(consumer as Consumer);
  delivery.start();
  return delivery;
};
const consumer = (
  name: string,
  handle: (event: DomainEvent<'document.progressed'>) => Promise<void>,
): Consumer<'document.progressed'> => ({ name, types: ['document.progressed'], handle });
const hurry = (): Promise<unknown> => db.asSystem((tx) => sql`update outbox set available_at = now()`.execute(tx));
const unpublished = async (): Promise<number> => {
  const { rows } = await db.asSystem((tx) =>
    sql<{ count: number }>`select count(*)::int as count from outbox where published_at is null`.execute(tx),
  );
  return rows[0]?.count ?? -1;
};

describe('delivery from the outbox', () => {
  afterEach(async () => {
    await delivery?.stop();
    await db.asSystem((tx) => sql`delete from outbox`.execute(tx));
  });
  afterAll(() => memory.close());

  it('gives every event to every consumer of its type', async () => {
    const one: string[] = [];
    const two: string[] = [];
    deliverTo(
      consumer('one', async ({ data }) => void one.push(data.document)),
      consumer('two', async ({ data }) => void two.push(data.document)),
    );
    await send('d1');
    await send('d2');
    await until(() => one.length === 2 && two.length === 2);
    expect([one.sort(), two.sort()]).toEqual([
      ['d1', 'd2'],
      ['d1', 'd2'],
    ]);
    await until(async () => (await unpublished()) === 0);
  });

  it('does not give out what a transaction rolled back', async () => {
    const seen: string[] = [];
    deliverTo(consumer('one', async ({ data }) => void seen.push(data.document)));
    await db
      .asTenant(TENANT, async (tx) => {
        await publish(tx, TENANT, 'document.progressed', { document: 'never', version: 1 });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await send('d1');
    await until(() => seen.length > 0);
    expect(seen).toEqual(['d1']);
  });

  it('given out again has one effect', async () => {
    const handled: string[] = [];
    deliverTo(
      consumer('once', (event) =>
        once(db, 'once', event, async (tx) => {
          await sql`insert into seen values (${event.data.document})`.execute(tx);
        }).then(() => void handled.push(event.id)),
      ),
    );
    await send('again');
    await until(() => handled.length === 1);
    await until(async () => (await unpublished()) === 0);
    await db.asSystem((tx) => sql`update outbox set published_at = null`.execute(tx));
    await until(() => handled.length === 2);
    const { rows } = await db.asTenant(TENANT, (tx) => sql`select * from seen where document = 'again'`.execute(tx));
    expect(rows).toHaveLength(1);
  });

  it('buries an event that a consumer keeps refusing, lets its neighbours pass, and sends it again when asked', async () => {
    const seen: string[] = [];
    let broken = true;
    let tries = 0;
    deliverTo(
      consumer('picky', async ({ data }) => {
        if (data.document === 'poison' && broken) {
          tries++;
          throw new Error('can not');
        }
        seen.push(data.document);
      }),
    );
    await send('poison');
    await send('fine');
    await until(() => seen.includes('fine'));
    await until(async () => {
      await hurry();
      return (await listDeadLetters(db, TENANT)).length === 1;
    });
    expect(tries).toBe(MAX_DELIVERIES);
    broken = false;
    const [letter] = await listDeadLetters(db, TENANT);
    await db.asTenant(TENANT, (tx) => revive(tx, TENANT, { ids: [letter?.id ?? ''] }));
    await until(() => seen.includes('poison'));
  });

  it('shows observers the events of their tenant from then on', async () => {
    const seen: string[] = [];
    const bus = deliverTo();
    const stop = bus.observe(TENANT, (event) => void seen.push(event.type));
    await send('d1');
    await until(() => seen.length === 1);
    stop();
    await send('d2');
    await until(async () => (await unpublished()) === 0);
    expect(seen).toEqual(['document.progressed']);
  });
});
