import { localRequests } from '@postmaster/bus';
import {
  type Consumer,
  deadLetterRequests,
  type DeadLetterFacts,
  type DeadLetterFilter,
  type DomainEvent,
  failure,
  hopeless,
  identitySeal,
  newId,
  type Scope,
  TenantId,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { durableRows } from '@postmaster/testing';
import { sql } from 'kysely';
import { answerDeadLetters, claim, databaseOf, enqueue, once, settle } from '../src/index.js';

export const A = TenantId.parse('tenant-a');
export const B = TenantId.parse('tenant-b');
export const KIND = 'embedding.index-text';
export const WHY = failure('INTERNAL', 'It broke.');

export const eventOf = (document: string, tenant = A): DomainEvent<'document.progressed'> => ({
  ...{ id: newId(), type: 'document.progressed', tenant, time: '2026-11-21T10:00:00.000Z' },
  data: { document, version: 1 },
});

/** A service with two consumers that answers for its dead letters, and those who may ask it. */
export const deadLetterBench = async () => {
  const memory = await openMemoryDatabase([
    durableRows('test', async (db) => {
      await sql`create table test.seen (consumer text, document text)`.execute(db);
      await sql`grant all on test.seen to postmaster_app`.execute(db);
    }),
  ]);
  const db = databaseOf<unknown>(memory.kysely, 'test');
  const seal = identitySeal(new TextEncoder().encode('a secret that only this test knows, and 32 bytes'));
  const requests = localRequests(seal);
  const { list, show, retry, drop } = deadLetterRequests('embedding');
  const fate = { broken: false, budgetMs: 15_000 };
  const errors: unknown[] = [];

  const consumer = (name: string): Consumer<'document.progressed'> => ({
    name,
    types: ['document.progressed'],
    handle: (event) =>
      once(db, name, event, async (tx) => {
        await sql`insert into seen values (${name}, ${event.data.document})`.execute(tx);
        if (fate.broken) throw new Error('it still breaks');
      }),
  });
  answerDeadLetters(requests, 'embedding', {
    db,
    consumers: [consumer('embedding.one'), consumer('embedding.two')],
    onError: (error) => errors.push(error),
    get budgetMs() {
      return fate.budgetMs;
    },
  });

  const token = (tenant: TenantId, scope: Scope): Promise<string> =>
    seal.sign({ tenant, subject: 'someone', scopes: [scope] });
  const [ofA, ofB, writer, operator] = await Promise.all([
    token(A, 'admin'),
    token(B, 'admin'),
    token(A, 'write'),
    token(TenantId.parse('gateway'), 'operator'),
  ]);
  const listed = async (key: string, filter: DeadLetterFilter = {}): Promise<DeadLetterFacts[]> =>
    (await requests.ask(list, key, { filter, first: 100 })).letters;
  const ask = (key: string, tenant = A): Promise<void> =>
    db.asTenant(tenant, (tx) =>
      enqueue(tx, tenant, [{ kind: KIND, key, document: `d-${key}`, version: 2, lane: 'bulk' }]),
    );
  const claimed = (limit = 1_000) => claim(db, { kind: KIND, limit, leaseMs: 60_000, ageingMs: 60_000, served: [] });
  return {
    ...{ db, requests, list, show, retry, drop, fate, errors, consumer, listed, ask, claimed },
    /** Tokens of two tenants' admins, of one who is none, and of the operator. */
    keys: { ofA, ofB, writer, operator },
    /** The one dead letter that there is. */
    only: async (key = operator): Promise<DeadLetterFacts> => {
      const letters = await listed(key);
      if (letters.length !== 1 || !letters[0]) throw new Error(`There are ${letters.length} dead letters, not one.`);
      return letters[0];
    },
    /** What the consumers have written. */
    seen: async () => {
      const { rows } = await db.asTenant(A, (tx) =>
        sql<{ consumer: string; document: string }>`select * from seen`.execute(tx),
      );
      return rows;
    },
    buryJob: async (key: string, tenant = A): Promise<void> => {
      await ask(key, tenant);
      const [job] = await claimed(1);
      if (!job || !(await db.asTenant(tenant, (tx) => settle(tx, job, hopeless(WHY))))) throw new Error('not buried');
    },
    reset: async (): Promise<void> => {
      Object.assign(fate, { broken: false, budgetMs: 15_000 });
      errors.splice(0);
      await db.asTenant(A, (tx) => sql`delete from seen`.execute(tx));
      await db.asSystem(async (tx) => {
        for (const table of ['jobs', 'outbox', 'inbox', 'dead_letters'])
          await sql`delete from ${sql.table(table)}`.execute(tx);
      });
    },
    close: memory.close,
  };
};
