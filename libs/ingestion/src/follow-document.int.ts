import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failure } from '@postmaster/contracts';
import { deliver, eventOf } from '@postmaster/testing';
import { type Ingestion, ingestionBench, textOf } from '../test/ingestion-bench.js';
import { giveOutAnew } from './give-out-anew.js';
import { enrichDocument, retryDocument } from './retry-document.js';

const bench = await ingestionBench();
const MALFORMED = failure('MODEL_MALFORMED', 'It keeps answering in verse.');
let ingestion: Ingestion;
let document: string;
let ids: string[];
beforeEach(async () => {
  ingestion = bench.fresh();
  ingestion.service.start();
  ({ document } = await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a' }));
  await ingestion.settled();
  ids = await ingestion.paragraphs(document, 1);
});
afterEach(async () => {
  await ingestion.service.stop();
  expect(bench.errors.splice(0)).toEqual([]);
});
afterAll(() => bench.close());

const status = async () => (await ingestion.document(document))?.status;
const fail = (stage: 'text' | 'facets', ...paragraphs: string[]) =>
  ingestion.give('paragraphs.failed', {
    ...{ document, version: 1, stage },
    failures: paragraphs.map((paragraph) => ({ paragraph, failure: MALFORMED })),
  });
const verbs = async (): Promise<string[]> => {
  const all = ['accepted', 'searchable', 'ready', 'improved', 'failed', 'deleted', 'erased'] as const;
  const events = await Promise.all(
    all.map(async (verb) =>
      (await ingestion.told(`public.document.${verb}`)).map(({ sequence }) => [sequence, verb] as const),
    ),
  );
  return events
    .flat()
    .sort(([a], [b]) => a - b)
    .map(([, verb]) => verb);
};

describe('following', () => {
  it('makes a document SEARCHABLE when all its text is in, READY when all its facets are', async () => {
    await ingestion.index(document, 1, 'text', ids.slice(0, 1));
    expect(await status()).toBe('PARSED');
    await ingestion.index(document, 1, 'text', ids.slice(1));
    expect(await status()).toBe('SEARCHABLE');
    await ingestion.index(document, 1, 'facets');
    expect(await status()).toBe('READY');
    expect(await verbs()).toEqual(['accepted', 'searchable', 'ready']);
    expect(await ingestion.told('version.activated')).toEqual([{ document, version: 1 }]);
  });

  it('comes to the same whatever the order, and however often each event comes', async () => {
    const [one = '', two = ''] = ids;
    const events = [
      { stage: 'facets', paragraphs: [two] },
      { stage: 'text', paragraphs: [one] },
      { stage: 'facets', paragraphs: [one] },
      { stage: 'text', paragraphs: [two] },
    ].map((data) => eventOf(ingestion.tenant, 'paragraphs.indexed', { document, version: 1, ...data } as never)); // the union of stages
    for (const event of [...events.slice(0, 2), ...events]) await deliver(ingestion.service.consumers, event);
    expect(await status()).toBe('READY');
    expect(await ingestion.service.useCases.reads.progress(ingestion.tenant, document, 1)).toMatchObject({
      ...{ total: 2, textDone: 2, facetsDone: 2, settled: 2 },
    });
    for (const event of events) await deliver(ingestion.service.consumers, event);
    expect(await verbs()).toEqual(['accepted', 'searchable', 'ready']);
  });

  it('does not take an older version for the newest', async () => {
    await ingestion.accept(textOf('Three'), { sourceId: 'a' });
    await ingestion.settled();
    await ingestion.index(document, 1, 'text', ids);
    await ingestion.index(document, 1, 'facets', ids);
    expect(await ingestion.document(document)).toMatchObject({ version: 2, status: 'PARSED', activeVersion: null });
  });

  it('swaps versions when the new one is SEARCHABLE, and lets the bytes of the old one go', async () => {
    await ingestion.makeReady(document, 1);
    const old = (await ingestion.document(document))?.blobHash ?? '';
    await ingestion.accept(textOf('One', 'Three'), { sourceId: 'a' });
    await ingestion.settled();
    expect(await ingestion.document(document)).toMatchObject({ version: 2, activeVersion: 1 });
    expect(await ingestion.paragraphs(document, 1)).toHaveLength(2);
    await ingestion.index(document, 2, 'text');
    await ingestion.settled();
    expect(await ingestion.document(document)).toMatchObject({ status: 'SEARCHABLE', activeVersion: 2 });
    expect(await ingestion.paragraphs(document, 1)).toEqual([]);
    expect(await ingestion.hasBytes(old)).toBe(false);
  });

  it('is READY with what was given up said, and improved when that is made good', async () => {
    await ingestion.index(document, 1, 'text');
    await fail('facets', ids[0] ?? '');
    await ingestion.index(document, 1, 'facets', ids.slice(1));
    expect(await status()).toBe('READY');
    expect(await ingestion.service.useCases.reads.degraded(ingestion.tenant, document, 1)).toEqual([MALFORMED]);
    await ingestion.index(document, 1, 'facets', ids.slice(0, 1));
    expect(await ingestion.service.useCases.reads.degraded(ingestion.tenant, document, 1)).toEqual([]);
    expect(await verbs()).toEqual(['accepted', 'searchable', 'ready', 'improved']);
  });

  it('says improved for what was made good alone, and not for what was said twice', async () => {
    await ingestion.makeReady(document, 1);
    await ingestion.makeReady(document, 1);
    expect(await verbs()).toEqual(['accepted', 'searchable', 'ready']);
  });

  it('makes it FAILED, with the reason, when no text got in; a failure that comes late changes nothing', async () => {
    await fail('text', ...ids);
    expect(await ingestion.document(document)).toMatchObject({ status: 'FAILED', failure: MALFORMED });
    await ingestion.index(document, 1, 'text');
    await fail('text', ...ids);
    expect(await ingestion.document(document)).toMatchObject({ status: 'SEARCHABLE', failure: null });
  });
});

describe('trying again', () => {
  it('gives out anew what was given up, and counts it as pending', async () => {
    await ingestion.index(document, 1, 'text');
    await fail('facets', ...ids);
    expect(await status()).toBe('READY');
    expect(
      await retryDocument({ db: bench.db, profile: ingestion.profile, now: () => ingestion.clock.now })(
        ingestion.tenant,
        document,
      ),
    ).toBe(true);
    expect(await status()).toBe('SEARCHABLE');
    expect(await ingestion.told('paragraphs.parsed')).toHaveLength(2);
  });

  it('asks for facets anew of the version that answers', async () => {
    const enrich = enrichDocument({ db: bench.db });
    expect(await enrich(ingestion.tenant, document)).toBe(false);
    await ingestion.makeReady(document, 1);
    expect(await enrich(ingestion.tenant, document)).toBe(true);
    expect(await ingestion.told('facets.wanted')).toEqual([{ document, version: 1, lane: 'bulk' }]);
  });
});

describe('giving out anew', () => {
  const minutes = (count: number): void =>
    void (ingestion.clock.now = new Date(ingestion.clock.now.getTime() + count * 60_000));
  const anew = () => giveOutAnew({ db: bench.db, now: () => ingestion.clock.now })();
  const given = async () =>
    (await ingestion.told('paragraphs.parsed')).filter((batch) => batch.document === document).length;

  it('concerns what made no progress for 10 minutes, then 20, and begins afresh when it does', async () => {
    minutes(9);
    await anew();
    expect(await given()).toBe(1);
    minutes(2);
    await anew();
    expect(await given()).toBe(2);
    minutes(11);
    await anew();
    expect(await given()).toBe(2);
    minutes(10);
    await anew();
    expect(await given()).toBe(3);
    await ingestion.index(document, 1, 'text');
    minutes(11);
    await anew();
    expect(await given()).toBe(4);
  });

  it('leaves alone what is READY, FAILED, deleted, or has a job', async () => {
    const other = await ingestion.accept(textOf('Failed'), { sourceId: 'b' });
    await ingestion.settled();
    await ingestion.give('paragraphs.failed', {
      ...{ document: other.document, version: 1, stage: 'text' as const },
      failures: (await ingestion.paragraphs(other.document, 1)).map((paragraph) => ({ paragraph, failure: MALFORMED })),
    });
    await ingestion.makeReady(document, 1);
    await ingestion.service.stop();
    const waiting = await ingestion.accept(textOf('Waiting'), { sourceId: 'c' });
    minutes(60);
    const before = (await ingestion.told('paragraphs.parsed')).length;
    await anew();
    expect((await ingestion.told('paragraphs.parsed')).length).toBe(before);
    expect(await ingestion.document(waiting.document)).toMatchObject({ status: 'ACCEPTED' });
    const { stalls } = await bench.db.asTenant(ingestion.tenant, (tx) =>
      tx.selectFrom('documents').select('stalls').where('id', '=', waiting.document).executeTakeFirstOrThrow(),
    );
    expect([stalls, (await ingestion.jobs()).length]).toEqual([0, 1]);
  });
});
