import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DomainEvent,
  done,
  failure,
  newId,
  SCHEMA_VERSION,
  subjectOf,
  type TenantId,
} from '@postmaster/contracts';
import { sql } from 'kysely';
import { A, B, deadLetterBench, eventOf, KIND, WHY } from '../test/dead-letter-bench.js';
import { buryEvent, buryMessage, dueEvents, settle } from './index.js';

const bench = await deadLetterBench();
const { db, requests, show, retry, fate, errors, listed, only, seen, ask, buryJob, claimed, consumer } = bench;
const { ofA, operator } = bench.keys;
afterAll(() => bench.close());
beforeEach(() => bench.reset());

const message = (text: string, more: { tenant?: TenantId; bytes?: number; subject?: string } = {}) => ({
  ...{ tenant: A, key: newId(), subject: subjectOf('document.progressed', A), bytes: Buffer.byteLength(text), text },
  ...more,
});
const envelope = (event: DomainEvent, version = SCHEMA_VERSION): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: event.id, source: 'postmaster/ingestion', type: event.type, time: event.time },
    ...{ subject: subjectOf(event.type, event.tenant), datacontenttype: 'application/json' },
    ...{ dataschema: `postmaster:${event.type}:${version}`, tenant: event.tenant, data: event.data },
  });

describe('a job', () => {
  it('starts afresh when its dead letter is sent again, which is listed no more', async () => {
    await buryJob('p1');
    const { id } = await only();
    expect((await requests.ask(show, ofA, { id })).letter).toMatchObject({
      ...{ cut: false, payload: { kind: KIND, key: 'p1', document: 'd-p1', version: 2, lane: 'bulk' } },
    });
    expect(await requests.ask(retry, ofA, { ids: [id] })).toEqual({ retried: 1, failed: 0, failures: [], more: false });
    expect(await listed(operator)).toEqual([]);
    expect(await claimed()).toMatchObject([{ key: 'p1', attempts: 1 }]);
  });

  it('is no dead letter any more once it is asked for anew', async () => {
    await buryJob('p1');
    await buryJob('p1', B);
    await ask('p1');
    expect(await only()).toMatchObject({ tenant: B });
  });

  it('is none either once it has come out well, however it came to run', async () => {
    await ask('p1');
    const [job] = await claimed();
    await db.asSystem((tx) =>
      sql`insert into dead_letters (id, tenant, source, name, key, document, version, lane, failure)
          values (${newId()}, ${A}, 'job', ${KIND}, 'p1', 'd', 1, 'bulk', '{"code":"INTERNAL","message":"","next":""}')`.execute(
        tx,
      ),
    );
    expect(job && (await db.asTenant(A, (tx) => settle(tx, job, done())))).toBe(true);
    expect(await listed(operator)).toEqual([]);
  });
});

describe('an event', () => {
  it('is handled once by the consumer that gave it up and by no other, and is listed no more', async () => {
    const event = eventOf('d1');
    await buryEvent(db, event, 'embedding.two', WHY);
    const { id } = await only();
    expect((await requests.ask(show, ofA, { id })).letter).toMatchObject({ payload: event, cut: false });
    const retried = await Promise.all([1, 2, 3].map(() => requests.ask(retry, ofA, { ids: [id] })));
    expect(retried.some((one) => one.retried === 1)).toBe(true);
    expect(await seen()).toEqual([{ consumer: 'embedding.two', document: 'd1' }]);
    expect(await listed(operator)).toEqual([]);
    expect(await dueEvents(db, 10)).toEqual([]);
  });

  it('stays, under its new reason, where it is refused again', async () => {
    await buryEvent(db, eventOf('d1'), 'embedding.one', failure('EVENT_UNKNOWN', 'Another reason.'));
    const { id } = await only();
    fate.broken = true;
    expect(await requests.ask(retry, ofA, { ids: [id] })).toMatchObject({
      ...{ retried: 0, failed: 1, failures: [{ id, why: { code: 'INTERNAL' } }] },
    });
    expect(await only()).toMatchObject({ id, why: { code: 'INTERNAL' }, attempts: 2 });
    expect(errors).toEqual([new Error('it still breaks')]);
    expect(await seen()).toEqual([]);
    fate.broken = false;
    expect(await requests.ask(retry, ofA, { ids: [id] })).toMatchObject({ retried: 1 });
  });

  it('goes into the outbox again for a consumer of another service, as where all run in one process', async () => {
    const event = eventOf('d1');
    await buryEvent(db, event, 'ingestion.follow', WHY);
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 1 });
    expect(await dueEvents(db, 10)).toMatchObject([{ event, attempts: 0 }]);
    expect(await listed(operator)).toEqual([]);
  });

  it('that comes once more and is handled then is no dead letter any more', async () => {
    const event = eventOf('d1');
    await buryEvent(db, event, 'embedding.one', WHY);
    await buryEvent(db, event, 'embedding.two', WHY);
    await consumer('embedding.one').handle(event);
    expect(await only()).toMatchObject({ name: 'embedding.two' });
  });
});

describe('a message that could not be read', () => {
  const bury = (one: ReturnType<typeof message>) =>
    buryMessage(db, one, 'embedding.one', failure('EVENT_UNKNOWN', 'It is of version 7.'));

  it('is handled once this version can read it', async () => {
    await bury(message(envelope(eventOf('d1'))));
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 1, failed: 0 });
    expect(await seen()).toEqual([{ consumer: 'embedding.one', document: 'd1' }]);
    expect(await listed(operator)).toEqual([]);
  });

  it('stays as long as it can’t, and says what to do with it', async () => {
    await bury(message(envelope(eventOf('d1'), 7)));
    await bury(message('not JSON'));
    await bury(message(envelope(eventOf('d1')), { bytes: 999_999 }));
    const { failures, ...counts } = await requests.ask(retry, ofA, { filter: {} });
    expect(counts).toEqual({ retried: 0, failed: 3, more: false });
    expect(failures.map(({ why }) => why.code)).toEqual(['EVENT_UNKNOWN', 'EVENT_MALFORMED', 'EVENT_MALFORMED']);
    for (const { why } of failures) expect(why.next).toContain('postmaster deadletters drop');
    expect(await listed(ofA)).toHaveLength(3);
  });

  it('of another tenant than its subject’s is not given to the subject’s', async () => {
    await bury(message(envelope(eventOf('d1', B))));
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 0, failed: 1 });
  });

  it('with bytes that are no text is shown, and is in nobody’s way', async () => {
    await bury(message('a\u0000b\ud83d'));
    await bury(message('x'.repeat(10_000), { bytes: 20_000 }));
    await buryJob('p1');
    const [, cut, broken] = await listed(ofA);
    expect((await requests.ask(show, ofA, { id: broken!.id })).letter?.payload).toMatchObject({
      text: 'a\ufffdb\ufffd',
    });
    expect((await requests.ask(show, ofA, { id: cut!.id })).letter?.cut).toBe(true);
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 1, failed: 2 });
  });
});

describe('very many', () => {
  const buryJobs = (count: number) =>
    db.asSystem((tx) =>
      sql`insert into dead_letters (id, tenant, source, name, key, document, version, lane, failure)
          select gen_random_uuid(), ${A}, 'job', ${KIND}, 'p' || n, 'd', 1, 'bulk',
                 '{"code":"INTERNAL","message":"","next":""}' from generate_series(1, ${count}) n`.execute(tx),
    );

  it('are all sent again, in batches', async () => {
    await buryJobs(350);
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 350, more: false });
    expect(await claimed(1_000)).toHaveLength(350);
  });

  it('are sent again as far as the time lasts, and the rest is said', async () => {
    await buryJobs(250);
    fate.budgetMs = 0;
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 100, more: true });
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 100, more: true });
    expect(await requests.ask(retry, ofA, { filter: {} })).toMatchObject({ retried: 50, more: false });
  });

  it('shows the beginning of what is too long for a reply', async () => {
    const event = eventOf('d'.repeat(300_000));
    await buryEvent(db, event, 'embedding.one', WHY);
    const { id } = await only();
    const { letter } = await requests.ask(show, ofA, { id });
    expect(letter?.cut).toBe(true);
    expect(String(letter?.payload)).toHaveLength(200_000);
  });
});
