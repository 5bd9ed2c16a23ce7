import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, newId } from '@postmaster/contracts';
import { sql } from 'kysely';
import { A, B, deadLetterBench, eventOf, KIND, WHY } from '../test/dead-letter-bench.js';
import { buryEvent, buryMessage, SYSTEM_TENANT } from './index.js';

const bench = await deadLetterBench();
const { db, requests, list, show, retry, drop, listed, only, buryJob, claimed } = bench;
const { ofA, ofB, writer, operator } = bench.keys;
afterAll(() => bench.close());
beforeEach(() => bench.reset());

describe('the list', () => {
  it('tells of each what it was, of whom, why, after how many tries and since when', async () => {
    await buryJob('p1');
    expect(await only(ofA)).toEqual({
      ...{ id: expect.any(String), service: 'embedding', tenant: A, source: 'job', name: KIND, document: 'd-p1' },
      ...{ why: WHY, attempts: 1, buriedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) },
    });
  });

  it('goes newest first, page by page, and leaves none out that were buried at the same moment', async () => {
    for (let i = 0; i < 7; i++) await buryJob(`p${i}`);
    await db.asSystem((tx) => sql`update dead_letters set at = now() where key in ('p2', 'p3', 'p4')`.execute(tx));
    const whole = (await listed(ofA)).map(({ id }) => id);
    const paged: string[] = [];
    for (let after: { at: string; id: string } | undefined; ;) {
      const { letters, more } = await requests.ask(list, ofA, { filter: {}, first: 2, after });
      paged.push(...letters.map(({ id }) => id));
      const last = letters.at(-1);
      if (!more || !last) break;
      after = { at: last.buriedAt, id: last.id };
    }
    expect(paged).toEqual(whole);
    expect(new Set(paged).size).toBe(7);
    expect((await listed(ofA)).slice(3).map(({ document }) => document)).toEqual(['d-p6', 'd-p5', 'd-p1', 'd-p0']);
  });

  it('is narrowed by source, name and document', async () => {
    await buryJob('p1');
    await buryEvent(db, eventOf('d9'), 'embedding.one', WHY);
    expect(await listed(ofA, { source: 'job' })).toMatchObject([{ name: KIND }]);
    expect(await listed(ofA, { name: 'embedding.one' })).toMatchObject([{ source: 'event', document: 'd9' }]);
    expect(await listed(ofA, { document: 'd9', source: 'job' })).toEqual([]);
  });
});

describe('whose they are', () => {
  it('holds for each operation: another tenant’s admin gets nothing and changes nothing', async () => {
    await buryJob('p1');
    const { id } = await only(ofA);
    expect(await listed(ofB)).toEqual([]);
    expect(await listed(ofB, { tenant: A })).toEqual([]);
    expect(await requests.ask(show, ofB, { id })).toEqual({ letter: null });
    expect(await requests.ask(retry, ofB, { ids: [id] })).toMatchObject({
      ...{ retried: 0, failed: 1, failures: [{ id, why: { code: 'NOT_FOUND' } }] },
    });
    expect(await requests.ask(retry, ofB, { filter: { tenant: A } })).toMatchObject({ retried: 0, failed: 0 });
    expect(await requests.ask(retry, ofB, { filter: {} })).toMatchObject({ retried: 0, failed: 0 });
    expect(await requests.ask(drop, ofB, { id })).toEqual({ dropped: false });
    expect(await only(ofA)).toMatchObject({ id });
  });

  it('lets no key without the scope admin do any of it', async () => {
    const id = newId();
    for (const asked of [
      () => requests.ask(list, writer, { filter: {}, first: 1 }),
      () => requests.ask(show, writer, { id }),
      () => requests.ask(retry, writer, { filter: {} }),
      () => requests.ask(drop, writer, { id }),
    ])
      await expect(asked()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('gives the operator those of all tenants, and of none', async () => {
    await buryJob('p1');
    await buryJob('p1', B);
    const message = { tenant: SYSTEM_TENANT, key: newId(), subject: 'postmaster.work', bytes: 1, text: '?' };
    await buryMessage(db, message, 'embedding.one', failure('EVENT_MALFORMED', 'It is not JSON.'));
    expect((await listed(operator)).map(({ tenant }) => tenant)).toEqual([null, B, A]);
    expect((await listed(operator, { tenant: B })).map(({ tenant }) => tenant)).toEqual([B]);
    expect(await requests.ask(retry, operator, { filter: { source: 'job' } })).toMatchObject({ retried: 2, failed: 0 });
    expect((await claimed()).map(({ tenant }) => tenant).sort()).toEqual([A, B]);
    const { id } = await only();
    expect(await requests.ask(drop, operator, { id })).toEqual({ dropped: true });
    expect(await listed(operator)).toEqual([]);
  });
});
