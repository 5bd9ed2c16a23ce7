import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { type DomainEvent, failure, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import {
  buryEvent,
  type Database,
  databaseOf,
  forgetEvents,
  listDeadLetters,
  publish,
  revive,
} from '@postmaster/durable';
import { type NatsServer, startNats, until } from '@postmaster/testing';
import { busRows, describeWithNats } from '@postmaster/testing/suites';
import { sql } from 'kysely';
import { connectNats, type Nats, type OutboxRelay, outboxRelay, type OutboxRelayOptions, STREAMS } from '../index.js';

const TENANT = TenantId.parse('tenant-a');
const WORK = STREAMS.work.name;

describeWithNats('the relay', () => {
  let server: NatsServer;
  let db: Database<unknown>;
  let close: () => Promise<void>;
  const nats: Nats[] = [];
  const relays: OutboxRelay[] = [];
  beforeAll(async () => {
    const memory = await openMemoryDatabase([busRows]);
    ({ close } = memory);
    db = databaseOf<unknown>(memory.kysely, busRows.schema);
    server = await startNats();
  });
  afterAll(async () => {
    await server.stop();
    await close();
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await Promise.all(nats.splice(0).map((one) => one.drain()));
    await server.wipe();
    await db.asSystem(async (tx) => {
      for (const table of ['outbox', 'dead_letters', 'relays']) await sql`delete from ${sql.table(table)}`.execute(tx);
    });
  });

  const relay = async (options: Partial<OutboxRelayOptions> = {}): Promise<OutboxRelay> => {
    const connected = await connectNats({ url: server.url, name: 'test' });
    nats.push(connected);
    const made = outboxRelay({ nats: connected, db, schema: busRows.schema, ...options });
    made.start();
    relays.push(made);
    return made;
  };
  const write = (count: number, filler = ''): Promise<void> =>
    db.asTenant(TENANT, async (tx) => {
      for (let i = 0; i < count; i++)
        await publish(tx, TENANT, 'document.progressed', { document: `d${i}${filler}`, version: 1 });
    });
  const connection = async () => {
    const made = await nats.at(-1)?.ready(5_000);
    if (!made) throw new Error('NATS is not there.');
    return made;
  };
  const stored = async (): Promise<StoredMsg[]> => {
    const { streams } = await jetstreamManager(await connection());
    const { state } = await streams.info(WORK);
    const messages: StoredMsg[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await streams.getMessage(WORK, { seq });
      if (message) messages.push(message);
    }
    return messages;
  };
  const idsStored = async (): Promise<string[]> => (await stored()).map((message) => message.json<{ id: string }>().id);
  const written = async (): Promise<string[]> => {
    const { rows } = await db.asSystem((tx) => sql<{ id: string }>`select id from outbox`.execute(tx));
    return rows.map(({ id }) => id).sort();
  };
  const unpublished = async (): Promise<number> => {
    const { rows } = await db.asSystem((tx) =>
      sql<{ count: number }>`select count(*)::int as count from outbox where published_at is null`.execute(tx),
    );
    return rows[0]?.count ?? -1;
  };
  const settled = () => until(async () => (await unpublished()) === 0);
  const settledAtLast = () => settled().catch(settled);

  it('publishes work and public events under their ids, each to its stream', async () => {
    await relay();
    await write(1);
    await db.asTenant(TENANT, (tx) =>
      publish(tx, TENANT, 'public.document.ready', {
        ...{ document: 'd', version: 1, sequence: 1, status: 'READY', title: 't', sourceType: 'upload', sourceId: 's' },
        ...{ collection: null, failure: null },
      }),
    );
    await settled();
    const [message] = await stored();
    expect(message?.subject).toBe('postmaster.work.tenant-a.document.progressed');
    expect(message?.header.get('Nats-Msg-Id')).toBe(message?.json<{ id: string }>().id);
    const { streams } = await jetstreamManager(await connection());
    const open = await streams.getMessage(STREAMS.public.name, { seq: 1 });
    expect(open?.subject).toBe('postmaster.events.tenant-a.document.ready');
  });

  it('takes what an earlier transaction commits later', async () => {
    await relay();
    await write(1);
    await settled();
    await db.asTenant(TENANT, async (tx) => {
      await publish(tx, TENANT, 'document.progressed', { document: 'begun an hour ago', version: 1 });
      await sql`update outbox set created_at = now() - interval '1 hour', available_at = now() - interval '1 hour'
                where published_at is null`.execute(tx);
    });
    await settled();
    expect(await stored()).toHaveLength(2);
  });

  it('waits while the server is down, without holding up who writes, and goes on by itself', async () => {
    const errors: unknown[] = [];
    await relay({ onError: (error) => errors.push(error) });
    await server.kill();
    const began = Date.now();
    await write(300);
    expect(Date.now() - began).toBeLessThan(3_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await unpublished()).toBe(300);
    await server.restart();
    await settled();
    expect((await idsStored()).sort()).toEqual(await written());
  });

  it('loses nothing and stores nothing twice when the server is killed amid 1,000 publications', async () => {
    let published = 0;
    await relay({ inFlight: 64, onPublished: (count) => void (published += count) });
    await write(1_000);
    await until(() => published > 100);
    await server.kill();
    expect(await unpublished()).toBeGreaterThan(0);
    await server.restart();
    await settledAtLast();
    expect((await idsStored()).sort()).toEqual(await written());
  });

  it('gives out all that it kept when the server has lost its data', async () => {
    const again: number[] = [];
    await relay({ onAgain: (_stream, count) => void again.push(count) });
    await write(500);
    await settled();
    await server.wipe();
    await write(10);
    await until(async () => again.length > 0).catch(() => until(() => again.length > 0));
    await settledAtLast();
    expect(new Set(await idsStored())).toEqual(new Set(await written()));
    expect(again[0]).toBeGreaterThanOrEqual(500);
  });

  it('notices at its start that the server is not the one it knew', async () => {
    const first = await relay();
    await write(20);
    await settled();
    await first.stop();
    await server.wipe();
    const again: number[] = [];
    await relay({ onAgain: (_stream, count) => void again.push(count) });
    await until(() => again[0] === 20);
    await settledAtLast();
    expect((await idsStored()).sort()).toEqual(await written());
  });

  it('notices that a stream went back, though it was created at the same time', async () => {
    const first = await relay();
    await write(20);
    await settled();
    await first.stop();
    await db.asSystem((tx) => sql`update relays set last_sequence = 1000`.execute(tx)); // what it was before the loss
    const again: number[] = [];
    await relay({ onAgain: (stream, count) => void (stream === WORK && again.push(count)) });
    await until(() => again[0] === 20);
    await settledAtLast();
  });

  it('gives out nothing of what is older than the consumers remember', async () => {
    const first = await relay();
    await write(3);
    await settled();
    await first.stop();
    await db.asSystem((tx) => sql`update outbox set published_at = now() - interval '8 days'`.execute(tx));
    await server.wipe();
    const again: number[] = [];
    await relay({ onAgain: (_stream, count) => void again.push(count) });
    await until(() => again.length > 0);
    expect(again[0]).toBe(0);
  });

  it('is one replica at a time; another takes over when it stops, or when its lease lapses', async () => {
    const by: string[] = [];
    const one = await relay({ leaseMs: 1_000, onPublished: () => void by.push('one') });
    await write(1);
    await settled();
    await relay({ leaseMs: 1_000, onPublished: () => void by.push('two') });
    for (let i = 0; i < 5; i++) {
      await write(1);
      await settled();
    }
    expect(new Set(by)).toEqual(new Set(['one']));
    await one.stop();
    await write(1);
    await settled();
    expect(by.at(-1)).toBe('two');
    await relays[1]?.stop();
    // a holder that was killed: its lease is there, and it is not
    await db.asSystem((tx) =>
      sql`update relays set holder = gen_random_uuid(), held_until = now() + interval '2 seconds'`.execute(tx),
    );
    const began = Date.now();
    await relay({ leaseMs: 1_000 });
    await write(1);
    await settled();
    expect(Date.now() - began).toBeGreaterThan(1_500);
  });

  it('is woken by what another replica writes', async () => {
    const arrived: number[] = [];
    await relay({ onPublished: () => void arrived.push(Date.now()) });
    await write(1);
    await until(() => arrived.length === 1);
    await relay();
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let i = 2; i < 6; i++) {
      const began = Date.now();
      await write(1);
      await until(() => arrived.length === i);
      expect(arrived[i - 1]! - began).toBeLessThan(300); // and not when it looks again by itself
    }
  });

  it('makes a dead letter of what the bus can not carry, and lets the others pass', async () => {
    await relay();
    await write(1, 'x'.repeat(1_100_000));
    await write(1);
    await settled();
    expect(await stored()).toHaveLength(1);
    expect(await listDeadLetters(db, TENANT)).toMatchObject([
      { name: 'test.relay', failure: { code: 'EVENT_TOO_LARGE' } },
    ]);
  });

  it('sends a dead letter of another service again, at once and as the same event', async () => {
    await relay();
    const event: DomainEvent<'document.progressed'> = {
      ...{ id: '01890a5d-ac96-774b-bcce-b302099a8057', type: 'document.progressed', tenant: TENANT },
      ...{ time: '2026-01-02T03:04:05.678Z', data: { document: 'd', version: 1 }, traceparent: '00-1-2-01' },
    };
    const bury = () => buryEvent(db, event, 'test.consumer', failure('INTERNAL', 'It broke.'));
    for (let times = 1; times <= 3; times++) {
      await bury();
      const [letter] = await listDeadLetters(db, TENANT);
      await db.asTenant(TENANT, (tx) => revive(tx, TENANT, { ids: [letter?.id ?? ''] }));
      await until(async () => (await unpublished()) === 0 && (await stored()).length === times);
    }
    const sent = (await stored()).map((message) => message.json<Record<string, unknown>>());
    for (const one of sent)
      expect(one).toMatchObject({ id: event.id, time: event.time, data: event.data, traceparent: '00-1-2-01' });
  });

  it('is not confused by what others publish', async () => {
    const again: number[] = [];
    await relay({ onAgain: (_stream, count) => void again.push(count) });
    await write(1);
    await settled();
    const client = jetstream(await connection());
    await Promise.all(Array.from({ length: 50 }, () => client.publish('postmaster.work.a.document.deleted', '{}')));
    await write(5);
    await settled();
    await new Promise((resolve) => setTimeout(resolve, 6_000)); // it has looked again
    await write(5);
    await settled();
    expect(again).toEqual([]);
  });

  it('takes what was told of a forgotten document from the stream, and nothing of another', async () => {
    await write(3);
    await relay();
    await until(async () => (await unpublished()) === 0);
    await db.asTenant(TENANT, async (tx) => {
      await publish(tx, TENANT, 'document.progressed', { document: 'd1', version: 1 }); // has still to go out
      await forgetEvents(tx, TENANT, 'd1', 1);
    });
    await until(async () => (await written()).length === 2);
    const documents = (await stored()).map((message) => message.json<{ data: { document: string } }>().data.document);
    expect(documents).toEqual(['d0', 'd2']);
    expect((await idsStored()).sort()).toEqual(await written());
  });

  it('takes nothing from a stream that was made anew under the same sequences', async () => {
    await write(1);
    await relay();
    await until(async () => (await unpublished()) === 0);
    await Promise.all(relays.splice(0).map((one) => one.stop()));
    await db.asSystem((tx) => sql`update outbox set id = gen_random_uuid(), erase = true`.execute(tx)); // as of the lost one
    await relay();
    await until(async () => (await written()).length === 0);
    expect(await idsStored()).toHaveLength(1);
  });
});
