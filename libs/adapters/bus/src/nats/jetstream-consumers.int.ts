import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { type Consumer, type DomainEvent, MAX_DELIVERIES, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf, listDeadLetters, once, publish, SYSTEM_TENANT } from '@postmaster/durable';
import { eventOf, type NatsServer, startNats, until } from '@postmaster/testing';
import { busContract, busRows, describeWithNats } from '@postmaster/testing/suites';
import { sql } from 'kysely';
import {
  connectNats,
  type Delivery,
  durableName,
  ensureStreams,
  jetstreamConsumers,
  type JetstreamConsumersOptions,
  type Nats,
  natsChanges,
  outboxRelay,
  STREAMS,
} from '../index.js';
import { messageOf } from './envelope.js';

const TENANT = TenantId.parse('tenant-a');
const SUBJECT = 'postmaster.work.tenant-a.document.progressed';
type Progress = DomainEvent<'document.progressed'>;

describeWithNats('JetStream', () => {
  let server: NatsServer;
  let nats: Nats;
  let db: Database<unknown>;
  let close: () => Promise<void>;
  const running: Delivery[] = [];
  beforeAll(async () => {
    const memory = await openMemoryDatabase([busRows]);
    ({ close } = memory);
    db = databaseOf<unknown>(memory.kysely, busRows.schema);
    server = await startNats();
    nats = await connectNats({ url: server.url, name: 'test' });
  });
  afterAll(async () => {
    await nats.drain();
    await server.stop();
    await close();
  });
  const forget = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    const { streams } = await jetstreamManager(await there());
    for (const { name } of Object.values(STREAMS)) await streams.delete(name).catch(() => undefined);
    await db.asSystem(async (tx) => {
      for (const table of ['outbox', 'inbox', 'dead_letters', 'relays'])
        await sql`delete from ${sql.table(table)}`.execute(tx);
    });
  };
  const there = async () => {
    const connection = await nats.ready(5_000);
    if (!connection) throw new Error('NATS is not there.');
    return connection;
  };
  afterEach(forget);

  const consume = (
    handle: (event: Progress) => Promise<unknown>,
    options: Partial<JetstreamConsumersOptions> = {},
  ): Delivery => {
    const delivery = jetstreamConsumers({ nats, db, retryMs: () => 20, ...options });
    const consumer: Consumer<'document.progressed'> = {
      name: 'test.consumer',
      types: ['document.progressed'],
      handle: async (event) => void (await handle(event)),
    };
    delivery.subscribe(consumer as Consumer);
    delivery.start();
    running.push(delivery);
    return delivery;
  };
  const send = async (...documents: string[]): Promise<void> => {
    const client = jetstream(await there());
    await ensureStreams(await there());
    await Promise.all(
      documents.map((document) => {
        const { subject, body } = messageOf(eventOf(TENANT, 'document.progressed', { document, version: 1 }), 'test');
        return client.publish(subject, body);
      }),
    );
  };
  const sendRaw = async (subject: string, body: string | Uint8Array): Promise<void> => {
    await ensureStreams(await there());
    await jetstream(await there()).publish(subject, body, { headers: headers() });
  };
  const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `d${i}`);
  const pending = async (): Promise<number> => {
    const { consumers } = await jetstreamManager(await there());
    const info = await consumers.info(STREAMS.work.name, durableName('test.consumer', 'document.progressed'));
    return info.num_pending + info.num_ack_pending;
  };

  busContract('JetStream, fed by the relay', async () => {
    const delivery = jetstreamConsumers({ nats, db, retryMs: () => 20 });
    const relay = outboxRelay({ nats, db, schema: busRows.schema });
    return {
      ...{ db, changes: natsChanges(nats) },
      delivery: {
        ...delivery,
        start: () => {
          delivery.start();
          relay.start();
        },
      },
      hurry: async () => {},
      close: async () => {
        await relay.stop();
        await delivery.stop();
      },
    };
  });

  it('gives each event to one replica of the consumer', async () => {
    const seen: string[][] = [[], []];
    for (const mine of seen)
      consume(async ({ data }) => {
        mine.push(data.document);
        await new Promise((resolve) => setTimeout(resolve, 5));
      });
    await send(...names(200));
    await until(() => seen.flat().length >= 200);
    expect(seen.flat().sort()).toEqual(names(200).sort());
    expect(Math.min(...seen.map(({ length }) => length))).toBeGreaterThan(20);
    await until(async () => (await pending()) === 0);
  });

  it('handles as many at once as it has slots, and no more', async () => {
    let now = 0;
    let most = 0;
    let handled = 0;
    consume(
      async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 10));
        now--;
        handled++;
      },
      { slots: 4 },
    );
    await send(...names(60));
    await until(() => handled === 60);
    expect(most).toBe(4);
  });

  it('delays nothing by poison: refused events hold up those behind them by less than a second', async () => {
    const late: number[] = [];
    consume(async ({ data }) => {
      if (data.document === 'poison') throw new Error('can not');
      late.push(Date.now() - Number(data.document));
    });
    const latest = async (): Promise<number> => {
      late.length = 0;
      for (let i = 0; i < 20; i++) await send(String(Date.now()));
      await until(() => late.length === 20);
      return Math.max(...late);
    };
    const alone = await latest();
    await send(...Array.from({ length: 5 }, () => 'poison'));
    expect((await latest()) - alone).toBeLessThan(1_000);
    await until(async () => (await listDeadLetters(db, TENANT)).length === 5);
  });

  it('makes dead letters, with the reason and at once, of what can not be read', async () => {
    const seen: string[] = [];
    consume(async ({ data }) => seen.push(data.document), { maxEventBytes: 5_000 });
    const event = eventOf(TENANT, 'document.progressed', { document: 'newer', version: 1 });
    const newer = JSON.parse(new TextDecoder().decode(messageOf(event, 'test').body)) as object;
    await sendRaw(SUBJECT, 'not json \u0000');
    await sendRaw(SUBJECT, new Uint8Array([0xff, 0xfe]));
    await sendRaw(SUBJECT, '{"hello":"world"}');
    await sendRaw(SUBJECT, JSON.stringify({ ...newer, dataschema: 'postmaster:document.progressed:9' }));
    await sendRaw(SUBJECT, JSON.stringify({ ...newer, filler: 'x'.repeat(6_000) }));
    await sendRaw('postmaster.work.Not_A_Tenant.document.progressed', '{}');
    const began = Date.now();
    await send('fine');
    await until(() => seen.includes('fine'));
    expect(Date.now() - began).toBeLessThan(3_000);
    await until(async () => (await listDeadLetters(db, TENANT)).length === 5);
    const letters = await listDeadLetters(db, TENANT);
    expect(letters.map(({ failure }) => failure.code).sort()).toEqual([
      ...['EVENT_MALFORMED', 'EVENT_MALFORMED', 'EVENT_MALFORMED', 'EVENT_TOO_LARGE', 'EVENT_UNKNOWN'],
    ]);
    const ofNoTenant = await until(async () => (await listDeadLetters(db, SYSTEM_TENANT))[0]);
    expect(ofNoTenant).toMatchObject({ name: 'test.consumer', source: 'event', failure: { code: 'EVENT_MALFORMED' } });
    await until(async () => (await pending()) === 0);
  });

  it('counts throws where a restart of the service does not forget them', async () => {
    let tries = 0;
    const refuse = async (): Promise<void> => {
      tries++;
      throw new Error('can not');
    };
    const first = consume(refuse);
    await send('poison');
    await until(() => tries >= 3);
    await first.stop();
    consume(refuse);
    await until(async () => (await listDeadLetters(db, TENANT)).length === 1);
    expect(tries).toBe(MAX_DELIVERIES);
  });

  it('hands back what it has not begun when it stops, and ends what it has', async () => {
    let begun = 0;
    let ended = 0;
    const first = consume(
      async () => {
        begun++;
        await new Promise((resolve) => setTimeout(resolve, 300));
        ended++;
      },
      { slots: 2 },
    );
    await send(...names(10));
    await until(() => begun === 2);
    await first.stop();
    expect(ended).toBe(begun);
    const seen: string[] = [];
    const again = Date.now();
    consume(async ({ data }) => seen.push(data.document));
    await until(() => seen.length === 10 - ended);
    expect(Date.now() - again).toBeLessThan(5_000); // and not after the server's 15 s
  });

  it('makes its consumer again when that was deleted', async () => {
    const seen: string[] = [];
    consume(async ({ data }) => seen.push(data.document));
    await send('before');
    await until(() => seen.includes('before'));
    const { consumers } = await jetstreamManager(await there());
    await consumers.delete(STREAMS.work.name, durableName('test.consumer', 'document.progressed'));
    await send('after');
    await until(() => seen.includes('after'));
  });

  it('makes streams and consumer again when the server has lost its data', async () => {
    const seen: string[] = [];
    consume(async ({ data }) => seen.push(data.document));
    await send('before');
    await until(() => seen.includes('before'));
    await server.wipe();
    const again = await until(async () => (await nats.ready(100)) !== undefined);
    expect(again).toBe(true);
    await send('after');
    await until(() => seen.includes('after'));
  });

  it('takes nothing twice of what it acknowledged before the server was killed', async () => {
    const seen: string[] = [];
    consume(async (event) => once(db, 'test.consumer', event, async () => void seen.push(event.data.document)));
    await send(...names(300));
    await until(() => seen.length > 50);
    await server.kill();
    await server.restart();
    const all = () => until(async () => seen.length >= 300 && (await pending()) === 0);
    await all().catch(all); // an acknowledgement that was lost with the server is missed after 15 s
    expect(seen.sort()).toEqual(names(300).sort());
  });

  it('carries the trace of an event through outbox, bus and handler', async () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traces: unknown[] = [];
    consume(async ({ traceparent }) => traces.push(traceparent));
    const relay = outboxRelay({ nats, db, schema: busRows.schema });
    await db.asTenant(TENANT, async (tx) => {
      await publish(tx, TENANT, 'document.progressed', { document: newId(), version: 1 });
      await sql`update outbox set trace = ${trace}`.execute(tx);
    });
    relay.start();
    await until(() => traces.length === 1);
    await relay.stop();
    expect(traces).toEqual([trace]);
  });
});
