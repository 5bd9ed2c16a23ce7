import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, encodePassages, MOST_PASSAGES, parentTexts } from '@postmaster/contracts';
import { FakeEncoder, hurry, until } from '@postmaster/testing';
import { type Ingestion, ingestionBench, textOf } from '../test/ingestion-bench.js';

const bench = await ingestionBench();
let ingestion: Ingestion;
beforeEach(() => {
  ingestion = bench.fresh();
  ingestion.service.start();
});
afterEach(async () => {
  await ingestion.service.stop();
  expect(bench.errors.splice(0)).toEqual([]);
});
afterAll(() => bench.close());

const retried = async (document: string): Promise<void> => {
  const job = await ingestion.service.useCases.beginBulkJob(ingestion.tenant, 'RETRY', { ids: [document] });
  await ingestion.settled();
  expect(await ingestion.service.useCases.readBulkJob(ingestion.tenant, job.id)).toMatchObject({ failed: 0, done: 1 });
};
const openings = async (): Promise<(string | undefined)[][]> =>
  (await ingestion.told('paragraphs.parsed')).map(({ paragraphs }) => paragraphs.map(({ text }) => text.split(' ')[0]));

describe('an upload that says how it is cut', () => {
  it('is cut so, keeps to it in later versions, and is not cut anew because the tenant wants another way', async () => {
    const { document } = await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a', chunking: 'headings' });
    await ingestion.settled();
    await ingestion.accept(textOf('One', 'Three'), { sourceId: 'a' });
    await ingestion.settled();
    expect(await openings()).toEqual([['One'], ['One']]);
    ingestion.wishes.chunking = 'tokens';
    await retried(document);
    expect(await ingestion.document(document)).toMatchObject({ version: 2, chunking: 'headings' });
  });

  it('is a new version where it asks for another way of the same bytes, and none where it has it', async () => {
    const first = await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a' });
    await ingestion.settled();
    expect(await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a', chunking: 'paragraphs' })).toEqual({
      ...first,
      unchanged: true,
    });
    expect(await ingestion.accept(textOf('One', 'Two'), { sourceId: 'a', chunking: 'headings' })).toEqual({
      document: first.document,
      version: 2,
      unchanged: false,
    });
    await ingestion.settled();
    expect(await openings()).toEqual([['One', 'Two'], ['One']]);
    expect(ingestion.parser.read).toHaveLength(1);
  });
});

describe('a document that is retried after its tenant has chosen another way', () => {
  it('is cut anew as a new version without being read again, and the old one answers until that is searchable', async () => {
    const { document } = await ingestion.accept(textOf('One', 'Two'));
    await ingestion.settled();
    await ingestion.makeReady(document, 1);
    ingestion.wishes.chunking = 'headings';
    await retried(document);
    expect(await openings()).toEqual([['One', 'Two'], ['One']]);
    expect((await ingestion.told('paragraphs.parsed')).at(-1)).toMatchObject({ version: 2, active: false });
    expect(await ingestion.document(document)).toMatchObject({ activeVersion: 1, version: 2, chunking: 'headings' });
    await ingestion.makeReady(document, 2);
    await retried(document);
    const ready = await ingestion.document(document);
    expect(ready).toMatchObject({ activeVersion: 2, version: 2, status: 'READY' });
    expect(ingestion.parser.read).toHaveLength(1);
    expect(await ingestion.hasBytes(ready?.blobHash ?? '')).toBe(true);
  });
});

describe('semantic', () => {
  it('asks for vectors in bounded calls, and waits at no cost while the encoder is out', async () => {
    const encoder = new FakeEncoder('fake:words-1', 16, 1_000);
    encoder.failure = new CodedError('ENCODER_UNREACHABLE', 'It does not answer.');
    const calls: number[] = [];
    ingestion.requests.answer(encodePassages, async (_, { texts }) => {
      calls.push(texts.length);
      return { encoder: encoder.id, vectors: await encoder.embed(texts) };
    });
    const text = textOf(...Array.from({ length: MOST_PASSAGES + 6 }, (_, i) => `Paragraph${i}`));
    const { document } = await ingestion.accept(text, { chunking: 'semantic' });
    await until(async () => {
      await hurry(bench.rows);
      return calls.length > 5;
    });
    encoder.failure = undefined;
    calls.splice(0);
    expect(await ingestion.settled()).toEqual([]);
    expect(calls).toEqual([MOST_PASSAGES, 6]);
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED', chunking: 'semantic' });
  });
});

describe('parent and child', () => {
  it('gives out children, and tells the passage that each is a part of', async () => {
    const own = `${Array.from({ length: 8 }, (_, i) => `Æ${i} has four words.`).join(' ')}`;
    const { document } = await ingestion.accept(`Ærø begins.\n\n${own}`, { chunking: 'parent-child' });
    await ingestion.settled();
    const [batch] = await ingestion.told('paragraphs.parsed');
    const children = batch?.paragraphs ?? [];
    expect(children.length).toBeGreaterThan(2);
    const ids = [...children.map(({ id }) => id), 'unknown'];
    const { parents } = await ingestion.requests.ask(parentTexts, ingestion.tenant, { ids });
    expect(parents.length).toBe(children.filter(({ parent }) => parent).length);
    const last = children.at(-1);
    const parent = parents.find(({ id }) => id === last?.id);
    expect(parent).toMatchObject(last?.parent ?? {});
    expect(parent?.text.endsWith(last?.text ?? '?')).toBe(true);
    expect([...(parent?.text ?? '')]).toHaveLength((parent?.end ?? 0) - (parent?.start ?? 0));
    expect(await ingestion.paragraphs(document, 1)).toHaveLength(children.length);
  });
});
