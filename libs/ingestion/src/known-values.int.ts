import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownValues } from '@postmaster/contracts';
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

const known = (of: Ingestion) => of.requests.ask(knownValues, of.tenant, {});

describe('what a tenant has', () => {
  it('is told by field, without what is deleted', async () => {
    const metadata = { from: 'Acme', paid: true, amount: 12.5, tags: ['a'], none: null };
    await ingestion.accept(textOf('One'), {
      ...{ sourceId: 'a', sourceType: 'imap', collection: 'Hus', metadata, createdAt: '2024-05-03T00:00:00.000Z' },
    });
    const other = await ingestion.accept(textOf('Two'), {
      ...{ sourceId: 'b', collection: 'Gone', metadata: { from: 'Bo' }, createdAt: '2020-01-01T00:00:00.000Z' },
    });
    await ingestion.accept(textOf('Three'), { sourceId: 'c', metadata: { from: 'Acme' } });
    await ingestion.settled();
    expect(await known(ingestion)).toMatchObject({ collections: ['Gone', 'Hus'], metadata: { from: ['Acme', 'Bo'] } });
    await ingestion.service.useCases.remove(ingestion.tenant, other.document);
    expect(await known(ingestion)).toEqual({
      collections: ['Hus'],
      sourceTypes: expect.arrayContaining(['imap', 'upload']),
      contentTypes: ['text/plain'],
      languages: ['en'],
      metadata: { from: ['Acme'], paid: [true], amount: [12.5] },
      created: { from: '2024-05-03T00:00:00.000Z', to: '2024-05-03T00:00:00.000Z' },
      added: { from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T09:00:00.000Z' },
    });
  });

  it('is nothing of another tenant', async () => {
    await ingestion.accept(textOf('One'), { sourceId: 'a', collection: 'Secret', metadata: { from: 'Acme' } });
    const nothing = { collections: [], sourceTypes: [], contentTypes: [], languages: [], metadata: {} };
    expect(await known(bench.fresh())).toEqual({ ...nothing, created: null, added: null });
  });

  it('is bounded, however many values there are', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key${i}`, i]));
    await ingestion.accept(textOf('One'), { sourceId: 'a', metadata: { ...metadata, long: 'x'.repeat(500) } });
    const { metadata: told } = await known(ingestion);
    expect(Object.keys(told)).toHaveLength(50);
    expect(told.long).toBeUndefined();
  });
});
