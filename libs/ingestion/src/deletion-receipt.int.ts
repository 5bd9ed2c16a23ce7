import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, deletionRequests, type PlaceLeft, TenantId } from '@postmaster/contracts';
import { dueEvents, markPublished } from '@postmaster/durable';
import { type Ingestion, ingestionBench, textOf } from '../test/ingestion-bench.js';

const bench = await ingestionBench();
let ingestion: Ingestion;
/** What the other services say is left. */
let left: Record<'enrichment' | 'embedding' | 'retrieval', number | CodedError>;
beforeEach(() => {
  ingestion = bench.fresh();
  left = { enrichment: 0, embedding: 0, retrieval: 0 };
  for (const service of ['enrichment', 'embedding', 'retrieval'] as const)
    ingestion.requests.answer(deletionRequests(service).countDocuments, async () => {
      const count = left[service];
      if (count instanceof CodedError) throw count;
      return { places: [{ place: 'paragraphs', left: count, kept: null }] };
    });
  ingestion.service.start();
});
afterEach(async () => {
  await ingestion.service.stop();
  expect(bench.errors.splice(0)).toEqual([]);
});
afterAll(() => bench.close());

const receiptOf = (id: string, tenant = ingestion.tenant) => ingestion.service.useCases.deletionReceipt(tenant, id);
/** As the bus does, which is not there. */
const giveOut = async (): Promise<void> => {
  await ingestion.settled();
  const due = await dueEvents(bench.rows, 100);
  await markPublished(
    bench.rows,
    due.map(({ event }) => event.id),
  );
};
const remove = (id: string) => ingestion.service.useCases.remove(ingestion.tenant, id);
const accept = async (text: string, sourceId: string): Promise<string> => {
  const { document } = await ingestion.accept(textOf(text), { sourceId, collection: 'all' });
  await ingestion.settled();
  return document;
};
const placesOf = async (id: string): Promise<Record<string, PlaceLeft>> => {
  const receipt = await receiptOf(id);
  const own = receipt?.services.find(({ service }) => service === 'ingestion');
  return Object.fromEntries((own?.places ?? []).map((place) => [place.place, place]));
};

describe('the receipt of a deletion', () => {
  it('is of nothing that is there, of nobody else, and of nothing that came again', async () => {
    const document = await accept('One', 'a');
    expect(await receiptOf(document)).toBeNull();
    await remove(document);
    await giveOut();
    expect(await receiptOf(document)).toMatchObject({ id: document, documents: 1, complete: true });
    expect(await receiptOf(document, TenantId.parse('somebody-else'))).toBeNull();
    expect(await receiptOf('no such id')).toBeNull();
    await accept('One', 'a');
    expect(await receiptOf(document)).toBeNull();
  });

  it('counts the bytes that are still to go, and says which stay for another document', async () => {
    const [one, two] = [await accept('Same', 'a'), await accept('Same', 'b')];
    await ingestion.service.stop(); // nobody erases
    await remove(one);
    expect(await placesOf(one)).toMatchObject({
      blobs: { left: 0, kept: { count: 1, until: null } },
      documents: { left: 0, kept: { count: 1 } },
      jobs: { left: 1 },
    });
    await remove(two);
    expect(await placesOf(two)).toMatchObject({ blobs: { left: 1, kept: null }, 'parsed text': { left: 1 } });
    expect(await receiptOf(two)).toMatchObject({ complete: false });
  });

  it('counts what was told of the document until it has gone from the outbox', async () => {
    const document = await accept('One', 'a');
    const outbox = async () => (await placesOf(document))['outbox and streams'];
    await remove(document);
    expect((await outbox())?.left).toBeGreaterThan(0);
    await giveOut();
    expect((await outbox())?.left).toBe(0);
    expect((await outbox())?.kept?.until).toMatch(/^\d{4}-/);
    expect(await ingestion.told('public.document.deleted')).toMatchObject([{ title: '', sourceId: 'a' }]);
    expect(await ingestion.told('paragraphs.parsed')).toEqual([]);
  });

  it.each([
    ['has something left', () => 3, null],
    ['does not answer', () => new CodedError('SERVICE_UNAVAILABLE', 'It is away.'), 'SERVICE_UNAVAILABLE'],
  ])('is not complete while a service %s', async (_, answer, code) => {
    const document = await accept('One', 'a');
    await remove(document);
    await giveOut();
    left.embedding = answer();
    const receipt = await receiptOf(document);
    expect(receipt?.complete).toBe(false);
    const failures = receipt?.services.map(({ service, failure }) => [service, failure?.code ?? null]);
    expect(failures).toEqual([
      ['ingestion', null],
      ['enrichment', null],
      ['embedding', code],
      ['retrieval', null],
    ]);
  });

  it('of a job is about all that it deleted', async () => {
    for (const [text, sourceId] of [
      ['One', 'a'],
      ['Two', 'b'],
    ] as const)
      await accept(text, sourceId);
    const job = await ingestion.service.useCases.beginBulkJob(ingestion.tenant, 'DELETE', { collection: 'all' });
    await giveOut();
    expect(await receiptOf(job.id)).toMatchObject({ documents: 2, complete: true });
  });
});
