import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Consumer, done, type DomainEvent, type EventType, failure, retry, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { durableRows } from '@postmaster/testing';
import { createLog, startTracing, type Tracing } from '@postmaster/service';
import { SpanKind } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { sql } from 'kysely';
import {
  databaseOf,
  dueEvents,
  enqueue,
  injectTrace,
  markPublished,
  once,
  publish,
  runWorker,
  type TraceCarrier,
  traced,
  tracedConsumer,
  type Worker,
  withTraceOf,
} from './index.js';

const A = TenantId.parse('tenant-a');
const KIND = 'test.work';

const memory = await openMemoryDatabase([durableRows('test')]);
const db = databaseOf<unknown>(memory.kysely, 'test');
let ended = new InMemorySpanExporter();
let tracing: Tracing | undefined;
let worker: Worker | undefined;

const trace = async (): Promise<void> => {
  const log = createLog({ name: 'test', level: 'silent', pretty: false });
  tracing = await startTracing({ service: 'test', version: '1', endpoint: undefined, log, exporter: ended });
};
const spans = async (): Promise<ReadableSpan[]> => {
  await tracing?.flush();
  return ended.getFinishedSpans();
};
const named = async (name: string): Promise<ReadableSpan[]> => (await spans()).filter((span) => span.name === name);
const traceIn = (traceparent: string | null | undefined): string | undefined => traceparent?.split('-')[1];

/** What an upload does: rows and an event in one transaction, asked for over the wire. */
const upload = (document: string): Promise<void> =>
  withTraceOf({}, `upload ${document}`, () =>
    db.asTenant(A, (tx) => publish(tx, A, 'document.deleted', { document, version: 1 })),
  );
/** Gives out what is due, as a bus does: after the transaction that published it, in nobody's context. */
const deliver = async (consumer: Consumer): Promise<DomainEvent[]> => {
  const due = await dueEvents(db, 100);
  for (const { event } of due) if (consumer.types.includes(event.type)) await tracedConsumer(consumer).handle(event);
  await markPublished(
    db,
    due.map(({ event }) => event.id),
  );
  return due.map(({ event }) => event);
};
const asking: Consumer<'document.deleted'> = {
  name: 'test.ask',
  types: ['document.deleted'],
  handle: (event) =>
    once(db, 'test.ask', event, (tx) =>
      enqueue(tx, A, [
        { kind: KIND, key: event.data.document, document: event.data.document, version: 1, lane: 'bulk' },
      ]),
    ),
};
const consume = (): Promise<DomainEvent[]> => deliver(asking as unknown as Consumer<EventType>);
/** Works all jobs off in groups of this size, and publishes on behalf of each document. */
const work = async (batch: number, call: () => Promise<unknown> = () => Promise.resolve()): Promise<void> => {
  worker = runWorker({
    ...{ db, kind: KIND, slots: 1, batch },
    work: async () => {
      await call();
      return {
        outcomes: new Map(),
        store: async (tx, held) => {
          for (const { job } of held)
            await publish(tx, A, 'document.progressed', { document: job.document, version: 1 });
        },
      };
    },
  });
  await until(async () => (await count('jobs')) === 0);
  await worker.stop();
};
const count = async (table: string): Promise<number> => {
  const { rows } = await db.asSystem((tx) =>
    sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(tx),
  );
  return rows[0]?.count ?? -1;
};
const until = async (check: () => Promise<boolean>): Promise<void> => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10));
};

const documentIn = (data: object): unknown => ('document' in data ? data.document : undefined);

describe('a trace', () => {
  beforeEach(async () => {
    await db.asSystem(async (tx) => {
      for (const table of ['jobs', 'outbox', 'inbox']) await sql`delete from ${sql.table(table)}`.execute(tx);
    });
    ended = new InMemorySpanExporter(); // one that was stopped takes no more
  });
  afterEach(async () => {
    await worker?.stop();
    await tracing?.stop();
    tracing = worker = undefined;
  });
  afterAll(() => memory.close());

  it('of one upload goes through outbox, consumer, job and outbox again', async () => {
    await trace();
    const store = traced('store', { write: async (_points: number[]) => undefined });
    await upload('d1');
    const [event] = await consume();
    await work(1, () => store.write([1, 2, 3]));
    const [after] = await dueEvents(db, 10);

    const [began] = await named('upload d1');
    const [handled] = await named('handle test.ask');
    const [job] = await named(`job ${KIND}`);
    const [write] = await named('store.write');
    const id = began?.spanContext().traceId;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect([event?.traceparent, after?.event.traceparent].map(traceIn)).toEqual([id, id]);
    expect([handled, job, write].map((span) => span?.spanContext().traceId)).toEqual([id, id, id]);
    expect(handled?.parentSpanContext?.spanId).toBe(began?.spanContext().spanId);
    expect(job?.parentSpanContext?.spanId).toBe(handled?.spanContext().spanId);
    expect(write).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'postmaster.count': 3 } });
    expect(job?.attributes).toMatchObject({
      'postmaster.tenant': A,
      'postmaster.document': 'd1',
      'postmaster.done': 1,
    });
  });

  it('goes on for each document, however many are worked on together', async () => {
    await trace();
    for (const document of ['d1', 'd2', 'd3']) await upload(document);
    const events = await consume();
    await work(10);
    const caused = new Map(events.map(({ data, traceparent }) => [documentIn(data), traceIn(traceparent)]));
    expect(new Set(caused.values()).size).toBe(3);
    const due = await dueEvents(db, 10);
    expect(new Map(due.map(({ event }) => [documentIn(event.data), traceIn(event.traceparent)]))).toEqual(caused);
    const jobs = await named(`job ${KIND}`);
    expect(new Set(jobs.map((span) => span.spanContext().traceId))).toEqual(new Set(caused.values()));
    expect(jobs.map((span) => span.links.length).sort()).toEqual([1, 1, 2]);
  });

  it('of a job is that of whoever asked for it last, and an asker without one leaves it', async () => {
    await trace();
    const ask = (): Promise<void> =>
      db.asTenant(A, (tx) => enqueue(tx, A, [{ kind: KIND, key: 'one', document: 'd1', version: 1, lane: 'bulk' }]));
    await withTraceOf({}, 'first', ask);
    await withTraceOf({}, 'second', ask);
    await ask();
    await work(1);
    const [second] = await named('second');
    expect((await named(`job ${KIND}`))[0]?.spanContext().traceId).toBe(second?.spanContext().traceId);
  });

  it('lasts over a retry, and tells a failure by its class and never by its words', async () => {
    await trace();
    await upload('d1');
    const [event] = await consume();
    let tries = 0;
    const port = traced('model', {
      ask: () => (tries++ === 0 ? Promise.reject(new RangeError('the text of a document')) : Promise.resolve()),
    });
    worker = runWorker({
      ...{ db, kind: KIND, slots: 1, batch: 1 },
      work: async (_tenant, jobs) => {
        const outcome = await port.ask().then(done, () => retry(0, failure('INTERNAL', 'It broke.')));
        return { outcomes: new Map(jobs.map((job) => [job.id, outcome])) };
      },
    });
    await until(async () => (await count('jobs')) === 0);
    await worker.stop();
    const jobs = await named(`job ${KIND}`);
    expect(jobs.map((span) => span.attributes)).toMatchObject([{ 'postmaster.retry': 1 }, { 'postmaster.done': 1 }]);
    expect(jobs.map((span) => span.spanContext().traceId)).toEqual([0, 1].map(() => traceIn(event?.traceparent)));
    const [failed] = await named('model.ask');
    expect(failed?.attributes['error.type']).toBe('RangeError');
    expect(JSON.stringify([failed?.attributes, failed?.status, failed?.events])).not.toContain('the text');
  });

  it('of a request goes along with it, through every item of a stream', async () => {
    await trace();
    const carrier: TraceCarrier = {};
    const seen: TraceCarrier[] = [];
    await withTraceOf({}, 'asked', () => Promise.resolve(injectTrace(carrier)));
    const items = withTraceOf(carrier, 'answered', async function* () {
      for (const item of [1, 2]) {
        const here: TraceCarrier = {};
        injectTrace(here);
        seen.push(here);
        yield item;
      }
    });
    const got: number[] = [];
    for await (const item of items) got.push(item);
    expect(got).toEqual([1, 2]);
    const [answered] = await named('answered');
    expect(answered?.spanContext().traceId).toBe(traceIn(carrier.traceparent));
    expect(seen.map(({ traceparent }) => traceparent?.split('-')[2])).toEqual(
      [0, 1].map(() => answered?.spanContext().spanId),
    );
  });

  it('ends with a stream that nobody reads to its end', async () => {
    await trace();
    let closed = false;
    const port = traced('model', {
      stream: async function* () {
        try {
          yield* [1, 2, 3];
        } finally {
          closed = true;
        }
      },
    });
    for await (const item of port.stream()) if (item === 2) break;
    expect(closed).toBe(true);
    expect(await named('model.stream')).toHaveLength(1);
  });

  it('that nobody takes down costs no column and no span, and everything works as before', async () => {
    const port = traced('store', { id: 'memory', write: async () => 1, count: () => 2 });
    expect([port.id, await port.write(), port.count()]).toEqual(['memory', 1, 2]);
    const carrier: TraceCarrier = {};
    await withTraceOf({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, 'asked', async () =>
      injectTrace(carrier),
    );
    expect(carrier).toEqual({});
    await upload('d1');
    expect(await consume()).toMatchObject([{ type: 'document.deleted', data: { document: 'd1' } }]);
    await work(4);
    const [after] = await dueEvents(db, 10);
    expect(after?.event.type).toBe('document.progressed');
    expect(after?.event.traceparent).toBeUndefined();
    expect(ended.getFinishedSpans()).toEqual([]);
  });
});
