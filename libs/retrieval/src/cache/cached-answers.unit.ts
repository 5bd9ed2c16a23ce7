import { describe, expect, it } from 'vitest';
import {
  type AnswerEvent,
  type Changes,
  CodedError,
  encodeQuestion,
  knownValues,
  livingParagraphs,
  type Notice,
  type SearchSettings,
  TenantId,
  tenantProfile,
} from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, PLAN_KNOWN, pointPayload, profileOf } from '@postmaster/testing';
import { foldAnswer } from '../answer.js';
import type { AnswerModel } from '../answer-model.js';
import { retrievalService } from '../retrieval-service.js';
import { DEAF_MS, HEARING_MS } from './document-freshness.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const WHERE = 'Where is the boiler?';

/** A retrieval service whose clock, bus, model and neighbours the test moves. */
const setUp = () => {
  const world = {
    ms: 10_000,
    hears: true,
    today: new Date('2026-11-21T12:00:00Z'),
    encoded: 0,
    written: 0,
    living: true as boolean | Error,
    own: (): AnswerModel | undefined => undefined,
    settings: (): SearchSettings => ({}),
  };
  let heard: Parameters<Changes['follow']>[1] | undefined;
  const changes: Changes = {
    follow: (_types, listener) => {
      heard = listener as unknown as Parameters<Changes['follow']>[1]; // of the types that are followed
      return { hears: () => world.hears, stop: () => undefined };
    },
  };
  const requests = new FakeRequests();
  requests.answer(encodeQuestion, async () => {
    world.encoded++;
    return { index: 'main', encoder: 'test', vector: new Float32Array([1, 0]) };
  });
  requests.answer(tenantProfile, async ({ tenant }) => profileOf(tenant, world.settings()));
  requests.answer(livingParagraphs, async (_, { ids }) => {
    if (world.living instanceof Error) throw world.living;
    return { living: world.living ? ids : [] };
  });
  requests.answer(knownValues, async () => PLAN_KNOWN);
  const gate: { failure?: Error; wait?: Promise<void>; aborted?: boolean } = {};
  const model: AnswerModel = {
    id: 'test:writer',
    async *write(_question, _sources, _language, signal) {
      const count = ++world.written;
      signal?.addEventListener('abort', () => (gate.aborted = true));
      await gate.wait;
      if (gate.failure) throw gate.failure;
      yield `The boiler is in the cellar [1]. It is number ${count} [1].`;
    },
  };
  const store = new FakeCandidateStore();
  const payload = pointPayload({ document: 'd1', text: 'The boiler is in the cellar. It is number 1, 2, 3 or 4.' });
  for (const tenant of [ours, theirs])
    store.put(tenant, { id: 'p1', payload, vectors: { paragraph: new Float32Array([1, 0]) } });
  const lookUps: string[] = [];
  const retrieval = retrievalService({
    ...{ requests, store, model, changes, languageOf: () => 'en', now: () => world.ms },
    today: () => world.today,
    ownModel: async () => world.own(),
    onLookUp: (cache, outcome) => void lookUps.push(`${cache} ${outcome}`),
  });
  const events = (query = WHERE, tenant = ours, rest = {}, signal?: AbortSignal) =>
    retrieval.answerStream(tenant, tenant, { query, ...rest }, signal);
  const ask = (query = WHERE, tenant = ours, rest = {}) => foldAnswer(events(query, tenant, rest));
  const change = (tenant: TenantId): void =>
    heard?.see({
      id: 'e',
      type: 'paragraphs.indexed',
      tenant,
      time: '',
      data: { document: 'd1', version: 1 },
    } as never); // all that is looked at
  return { world, gate, retrieval, events, ask, change, again: () => heard?.again(), lookUps };
};

const listed = async (events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> => {
  const list: AnswerEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
};
const cachedTwice = async (world: ReturnType<typeof setUp>): Promise<boolean[]> => [
  (await world.ask()).cached,
  (await world.ask()).cached,
];

describe('the answer to a question that was asked before', () => {
  it('comes from the cache with the same events, says so, and is counted', async () => {
    const { events, lookUps, world } = setUp();
    const [first, second] = [await listed(events()), await listed(events())];
    expect(first.at(-1)).not.toHaveProperty('cached');
    expect(second).toEqual(first.map((event) => (event.type === 'done' ? { ...event, cached: true } : event)));
    expect(world).toMatchObject({ written: 1, encoded: 1 });
    expect(lookUps).toEqual(['answer miss', 'question-vector miss', 'answer hit']);
  });

  it.each<[string, string, TenantId, object]>([
    ['another question', 'Where is the cellar?', ours, {}],
    ['another tenant', WHERE, theirs, {}],
    ['another filter', WHERE, ours, { filter: { languages: ['en'] } }],
    ['other options', WHERE, ours, { options: { fusion: 'rrf' } }],
    ['another number of hits', WHERE, ours, { first: 3 }],
    ['who wants it anew', WHERE, ours, { options: { fresh: true } }],
  ])('is not that of %s', async (_, query, tenant, rest) => {
    const { ask, world } = setUp();
    await ask();
    expect((await ask(query, tenant, rest)).cached).toBe(false);
    expect(world.written).toBe(2);
    if ('options' in rest && 'fresh' in (rest.options as object)) expect(world.encoded).toBe(2);
  });

  it('is not that of another day, on which "last month" is another one', async () => {
    const { ask, world } = setUp();
    await ask();
    world.today = new Date('2026-11-22T00:00:00Z');
    expect((await ask()).cached).toBe(false);
  });

  it('is the same however it was spelled', async () => {
    const { ask } = setUp();
    await ask();
    expect((await ask(`  ${WHERE} `, ours, { first: null, filter: { languages: null }, options: {} })).cached).toBe(
      true,
    );
  });

  it('is made anew when a document of the tenant changed, and of no other', async () => {
    const { ask, change, world } = setUp();
    for (const tenant of [ours, theirs]) await ask(WHERE, tenant);
    change(theirs);
    expect((await ask()).cached).toBe(true);
    expect((await ask(WHERE, theirs)).cached).toBe(false);
    world.ms += 100; // what was begun while the index may still be written is given to none
    expect((await ask(WHERE, theirs)).cached).toBe(false);
    world.ms += 5_000;
    await ask(WHERE, theirs);
    expect((await ask(WHERE, theirs)).cached).toBe(true);
  });

  it('is made anew when its paragraph is gone, though no event has told of it', async () => {
    const { ask, world } = setUp();
    await ask();
    world.living = false;
    expect(await ask()).toMatchObject({ cached: false, found: false });
  });

  it('is not given where nobody can say whether its documents are still there', async () => {
    const { ask, world } = setUp();
    await ask();
    world.living = new CodedError('SERVICE_UNAVAILABLE', 'gone');
    expect(await ask()).toMatchObject({ cached: false, notices: [{ code: 'SERVICE_UNAVAILABLE' }] });
  });

  it('is not that of other settings of the tenant, nor given while they can not be read', async () => {
    const { ask, world } = setUp();
    await ask();
    world.settings = () => ({ fusion: 'rrf' });
    world.ms += 1_000;
    expect(await cachedTwice({ ask } as ReturnType<typeof setUp>)).toEqual([false, true]);
    world.settings = () => {
      throw new Error('away');
    };
    world.ms += 1_000;
    const { cached, notices } = await ask();
    expect([cached, notices.length]).toEqual([false, 1]);
  });

  it("is not that of another model of the tenant's own, nor given while nobody can tell which that is", async () => {
    const { ask, world } = setUp();
    await ask();
    world.own = () => ({
      id: 'test:own',
      write: async function* () {
        yield 'The boiler is in the cellar [1].';
      },
    });
    expect([await ask(), await ask()]).toMatchObject([
      { model: 'test:own', cached: false },
      { model: 'test:own', cached: true },
    ]);
    world.own = () => {
      throw new CodedError('SERVICE_UNAVAILABLE', 'away');
    };
    expect(await ask()).toMatchObject({ model: 'extractive', cached: false });
    world.own = () => undefined;
    expect(await ask()).toMatchObject({ model: 'test:writer', cached: true });
  });

  it.each([
    ['no events come', false, DEAF_MS],
    ['events come', true, HEARING_MS],
  ])('lasts for its time while %s, and no longer', async (_, hears, ms) => {
    const { ask, world } = setUp();
    world.hears = hears;
    await ask();
    world.ms += ms - 1;
    expect((await ask()).cached).toBe(true);
    world.ms += 1;
    expect((await ask()).cached).toBe(false);
  });

  it('is made anew when events come again after a pause', async () => {
    const { ask, again, world } = setUp();
    await ask();
    again();
    world.ms += 5_000;
    expect(await cachedTwice({ ask } as ReturnType<typeof setUp>)).toEqual([false, true]);
  });
});

describe('an answer that is not kept', () => {
  const failing = (gate: ReturnType<typeof setUp>['gate'], failure?: Error) => Object.assign(gate, { failure });

  it('is one that the model failed to give', async () => {
    const world = setUp();
    failing(world.gate, new CodedError('MODEL_UNREACHABLE', 'away'));
    expect((await world.ask()).notices.map(({ code }: Notice) => code)).toEqual(['MODEL_UNREACHABLE']);
    failing(world.gate);
    expect(await cachedTwice(world)).toEqual([false, true]);
  });

  it('is one that was refused', async () => {
    const { events } = setUp();
    for (let i = 0; i < 2; i++) expect(await listed(events(' '))).toMatchObject([{ type: 'refused' }]);
  });

  it('is one that a document changed under', async () => {
    const world = setUp();
    let go = (): void => {};
    world.gate.wait = new Promise((resolve) => (go = resolve));
    const answer = world.ask();
    while (world.world.written === 0) await Promise.resolve();
    world.change(ours);
    go();
    await answer;
    expect((await world.ask()).cached).toBe(false);
  });
});

describe('one question asked by several at a time', () => {
  const started = async (count: number) => {
    const world = setUp();
    let go = (): void => {};
    world.gate.wait = new Promise((resolve) => (go = resolve));
    const leaving = new AbortController();
    const streams = Array.from({ length: count }, (_, i) =>
      listed(world.events(WHERE, ours, {}, i === 0 ? leaving.signal : undefined)),
    );
    while (world.world.written === 0) await new Promise(setImmediate);
    return { ...world, streams, go, leave: () => leaving.abort() };
  };

  it('is answered once, with the whole stream for each', async () => {
    const { streams, go, world, lookUps } = await started(3);
    go();
    const [first, ...others] = await Promise.all(streams);
    for (const other of others) expect(other).toEqual(first);
    expect(first?.map(({ type }) => type)).toEqual(['hits', 'citation', 'text', 'text', 'done']);
    expect(world).toMatchObject({ written: 1, encoded: 1 });
    expect(lookUps.filter((one) => one.startsWith('answer'))).toEqual([
      'answer miss',
      'answer joined',
      'answer joined',
    ]);
  });

  it('goes on for the others when the first leaves', async () => {
    const { streams, go, leave, gate } = await started(2);
    leave();
    expect((await streams[0])?.map(({ type }) => type)).toEqual(['hits']);
    expect(gate.aborted).toBeUndefined();
    go();
    expect((await streams[1])?.at(-1)).toMatchObject({ type: 'done', found: true });
  });

  it('ends when all have left, and is not what the next one joins', async () => {
    const { streams, go, leave, gate, ask, world } = await started(1);
    leave();
    await streams[0];
    expect(gate.aborted).toBe(true);
    go();
    expect(await ask()).toMatchObject({ found: true, cached: false });
    expect(world.written).toBe(2);
  });

  it('fails for all when it fails', async () => {
    const failure = new Error('unforeseen');
    const requests = new FakeRequests();
    requests.answer(encodeQuestion, () => Promise.reject(failure));
    const broken = retrievalService({ requests, store: new FakeCandidateStore(), languageOf: () => null });
    const ask = () => foldAnswer(broken.answerStream(ours, 'ours', { query: WHERE }));
    expect(await Promise.allSettled([ask(), ask()])).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);
  });
});

describe('an evaluation', () => {
  it('takes nothing from a cache, puts nothing there, and goes by the product’s settings', async () => {
    const { retrieval, world, lookUps } = setUp();
    world.settings = () => ({ weights: { paragraph: 0 }, minRelevance: 1 });
    const asked = { questions: [{ query: WHERE, paragraphs: [{ id: 'p1' }] }], ways: ['composite'] };
    const evaluate = () => retrieval.evaluate({ tenant: ours, subject: 'test', scopes: ['admin'] }, ours, asked);
    for (let i = 0; i < 2; i++)
      expect(await evaluate()).toMatchObject({ ways: [{ way: 'composite', scores: { 'hit@1': 1 } }] });
    expect([lookUps, world.encoded]).toEqual([[], 4]); // two each: which index serves, and the question
  });
});
