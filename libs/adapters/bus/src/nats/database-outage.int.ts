import { expect, it } from 'vitest';
import { jetstream } from '@nats-io/jetstream';
import { type Consumer, type DomainEvent, TenantId } from '@postmaster/contracts';
import { migrate, openPostgres } from '@postmaster/database';
import { databaseOf, listDeadLetters, once } from '@postmaster/durable';
import { eventOf, postgresBinaries, startNats, startPostgres, startWire, until } from '@postmaster/testing';
import { busRows, describeWithNats } from '@postmaster/testing/suites';
import { sql } from 'kysely';
import { connectNats, ensureStreams, jetstreamConsumers } from '../index.js';
import { messageOf } from './envelope.js';

const TENANT = TenantId.parse('tenant-a');
const OUTAGE_MS = 5_000;

describeWithNats('a database out of reach', () => {
  const binaries = postgresBinaries();
  const withPostgres = binaries ? it : it.skip;

  withPostgres('makes no dead letter: consumers wait, spend no attempt, and go on by themselves', async () => {
    const postgres = await startPostgres(binaries ?? '');
    const server = await startNats();
    const wire = await startWire(postgres.url);
    const nats = await connectNats({ url: server.url, name: 'test' });
    const database = openPostgres({ url: wire.url, poolSize: 6, statementTimeoutMs: 5_000 });
    try {
      await migrate(database.kysely, [busRows]);
      const db = databaseOf<unknown>(database.kysely, busRows.schema);
      const errors: unknown[] = [];
      const handled = new Set<string>();
      let tries = 0;
      const consumer: Consumer<'document.progressed'> = {
        name: 'test.consumer',
        types: ['document.progressed'],
        handle: async (event: DomainEvent<'document.progressed'>) => {
          tries++;
          await once(db, 'test.consumer', event, async (tx) => {
            await sql`insert into seen values (${event.data.document})`.execute(tx);
          });
          handled.add(event.data.document);
        },
      };
      const delivery = jetstreamConsumers({ nats, db, retryMs: () => 20, onError: (error) => errors.push(error) });
      delivery.subscribe(consumer as Consumer);
      delivery.start();
      const connection = await nats.ready(0);
      if (!connection) throw new Error('NATS is not there.');
      await ensureStreams(connection);
      const send = (count: number, name: string): Promise<unknown> =>
        Promise.all(
          Array.from({ length: count }, (_, i) => {
            const event = eventOf(TENANT, 'document.progressed', { document: `${name}${i}`, version: 1 });
            const { subject, body } = messageOf(event, 'test');
            return jetstream(connection).publish(subject, body);
          }),
        );
      await send(300, 'before');
      await until(() => handled.size > 30);
      await wire.cut();
      await send(100, 'during');
      await jetstream(connection).publish('postmaster.work.tenant-a.document.progressed', 'not json');
      const triedBefore = tries;
      await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
      expect(tries - triedBefore).toBeLessThan(100); // it waits as a whole, and not for each message
      await wire.mend();
      await until(() => handled.size === 400).catch(() => until(() => handled.size === 400));
      await until(async () => (await listDeadLetters(db, TENANT)).length > 0);
      expect(await listDeadLetters(db, TENANT)).toMatchObject([{ failure: { code: 'EVENT_MALFORMED' } }]);
      const { rows } = await db.asSystem((tx) =>
        sql<{ counted: number }>`select count(*)::int as counted from inbox where consumer like '%#%'`.execute(tx),
      );
      expect(rows[0]?.counted).toBe(0);
      expect(errors.length).toBeGreaterThan(0); // and it said so
      await delivery.stop();
    } finally {
      await nats.drain();
      await wire.mend();
      await database.close();
      await wire.close();
      await server.stop();
      await postgres.stop();
    }
  });
});
