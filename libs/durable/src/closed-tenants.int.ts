import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TENANT_DELETED_EVENT, TenantId } from '@postmaster/contracts';
import { migrate, openMemoryDatabase, openPostgres } from '@postmaster/database';
import { durableRows, eventOf, postgresBinaries, startPostgres } from '@postmaster/testing';
import { sql } from 'kysely';
import {
  closeTenant,
  type Database,
  databaseOf,
  deliveryLeft,
  dueEvents,
  enqueue,
  eraseTenantRows,
  forgetEvents,
  markPublished,
  once,
  protectTable,
  publish,
  sweepDelivered,
  tenantLeft,
} from './index.js';

const [ours, theirs] = [TenantId.parse('ours'), TenantId.parse('theirs')];
const refusal = { code: 'TENANT_DELETED' };
/** As a service may add one later. */
const rows = durableRows('test', async (db) => {
  await sql`create table test.later (tenant text not null, document text)`.execute(db);
  await protectTable(db, 'test', 'later', { system: 'none' });
});
const note = (db: Database<unknown>, tenant: TenantId): Promise<unknown> =>
  db.asTenant(tenant, (tx) => sql`insert into later values (${tenant}, 'd')`.execute(tx));
const counted = async (db: Database<unknown>, tenant: TenantId) =>
  (await db.evenClosed(tenant, tenantLeft)).flatMap(({ place, left }) => (left > 0 ? [`${place} ${left}`] : []));

describe('a tenant that is closed', () => {
  let memory: Awaited<ReturnType<typeof openMemoryDatabase>>;
  let db: Database<unknown>;
  beforeAll(async () => {
    memory = await openMemoryDatabase([rows]);
    db = databaseOf<unknown>(memory.kysely, 'test');
    for (const tenant of [ours, theirs]) {
      await note(db, tenant);
      await db.asTenant(tenant, async (tx) => {
        await publish(tx, tenant, 'document.progressed', { document: 'd', version: 1 });
        await enqueue(tx, tenant, [{ kind: 'k', key: 'd', document: 'd', version: 1, lane: 'bulk' }]);
      });
      await once(db, 'c', eventOf(tenant, 'document.progressed', { document: 'd', version: 1 }), async () => {});
    }
  });
  afterAll(() => memory.close());

  it('is refused whatever it asks for, its events fall away, and what is done once is done once', async () => {
    const told = (): Promise<void> =>
      closeTenant(db, ours, (tx) => publish(tx, ours, TENANT_DELETED_EVENT, { tenant: ours }));
    await told();
    await told();
    await expect(note(db, ours)).rejects.toMatchObject(refusal);
    let handled = false;
    const event = eventOf(ours, 'document.progressed', { document: 'd', version: 2 });
    await once(db, 'c', event, async () => void (handled = true));
    expect(handled).toBe(false);
    await note(db, theirs);
    expect(await counted(db, ours)).toEqual(['jobs 1', 'inbox 1', 'later 1', 'outbox 2']);
  });

  it('is erased out of every table, whoever made it; what has to go out goes out first', async () => {
    const erase = (): Promise<boolean> => db.evenClosed(ours, (tx) => eraseTenantRows(tx, { most: 1 }));
    while ((await counted(db, ours)).join() !== 'outbox 2') expect(await erase()).toBe(false);
    expect(await erase()).toBe(false);
    const due = await dueEvents(db, 10);
    expect(due.filter(({ event }) => event.tenant === ours).map(({ event }) => event.type)).toEqual([
      'document.progressed',
      TENANT_DELETED_EVENT,
    ]);
    await markPublished(
      db,
      due.map(({ event }) => event.id),
    );
    while (!(await erase()));
    expect(await counted(db, ours)).toEqual([]);
    expect(await counted(db, theirs)).toEqual(['jobs 1', 'inbox 1', 'later 2', 'outbox 1']);
  });

  it('is known for 8 days, as long as the bus may name it', async () => {
    const age = (days: number): Promise<unknown> =>
      db.evenClosed(ours, (tx) => sql`update closed_tenants set at = now() - ${days} * interval '1 day'`.execute(tx));
    await age(7);
    await sweepDelivered(db);
    await expect(note(db, ours)).rejects.toMatchObject(refusal);
    await age(9);
    await sweepDelivered(db);
    await note(db, ours);
  });

  it('of a document leaves only events that say that it was deleted', async () => {
    const tell = (type: 'document.progressed' | 'document.deleted', document: string): Promise<void> =>
      db.asTenant(theirs, (tx) => publish(tx, theirs, type, { document, version: 1 }));
    const out = async (): Promise<void> =>
      markPublished(
        db,
        (await dueEvents(db, 10)).map(({ event }) => event.id),
      );
    const left = async (document: string) => {
      const places = await db.asTenant(theirs, (tx) => deliveryLeft(tx, [document]));
      const { left, kept } = places.find(({ place }) => place.startsWith('outbox')) ?? {};
      return { left, kept: kept?.count ?? 0 };
    };
    for (const document of ['one', 'two']) await tell('document.progressed', document);
    await out();
    await tell('document.progressed', 'one'); // is still to go out
    await db.asTenant(theirs, (tx) => forgetEvents(tx, theirs, 'one', 1));
    await tell('document.deleted', 'one');
    expect(await left('one')).toEqual({ left: 1, kept: 1 });
    await out();
    expect(await left('one')).toEqual({ left: 0, kept: 1 });
    expect(
      (await db.asTenant(theirs, (tx) => sql`select from outbox where document = 'two'`.execute(tx))).rows,
    ).toHaveLength(1);
  });
});

const binaries = postgresBinaries();

/** PGlite has one session, where nothing happens at the same moment. */
(binaries === undefined ? describe.skip : describe)('closing a tenant on Postgres', () => {
  it('waits for what began before it, and nothing that begins later is written', async () => {
    const server = await startPostgres(binaries ?? '');
    const database = await openPostgres({ url: server.url, poolSize: 8, statementTimeoutMs: 10_000 });
    try {
      await migrate(database.kysely, [rows]);
      const db = databaseOf<unknown>(database.kysely, 'test');
      let [closed, entered, leave] = [false, (): void => {}, (): void => {}];
      const began = new Promise<void>((resolve) => (entered = resolve));
      const may = new Promise<void>((resolve) => (leave = resolve));
      const before = db.asTenant(ours, async (tx) => {
        await sql`insert into later values (${ours}, 'before')`.execute(tx);
        entered();
        await may;
      });
      await began;
      const closing = closeTenant(db, ours).then(() => (closed = true));
      for (let i = 0; i < 20; i++) await note(db, theirs); // others are not held up, and closing would long be over
      expect(closed).toBe(false);
      leave();
      await Promise.all([before, closing]);
      expect(await counted(db, ours)).toEqual(['later 1']);

      const writing = Array.from({ length: 200 }, () =>
        note(db, theirs).then(
          () => true,
          () => false,
        ),
      );
      await closeTenant(db, theirs);
      const seen = await counted(db, theirs);
      const written = (await Promise.all(writing)).filter(Boolean).length;
      expect(seen).toEqual([`later ${written + 20}`]); // nothing came after it was counted
    } finally {
      await database.close();
      await server.stop();
    }
  }, 60_000);
});
