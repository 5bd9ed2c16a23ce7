import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { livingParagraphs, newId, summaryId } from '@postmaster/contracts';
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

const living = async (of: Ingestion, ...ids: string[]): Promise<string[]> =>
  (await of.requests.ask(livingParagraphs, of.tenant, { ids })).living.sort();

describe('what is living', () => {
  it('are paragraphs and summary of the version that answers, of no deleted document and of no other tenant', async () => {
    const { document } = await ingestion.accept(textOf('One'), { sourceId: 'a' });
    await ingestion.settled();
    await ingestion.makeReady(document, 1);
    const [paragraph = ''] = await ingestion.paragraphs(document, 1);
    const [first, second] = [summaryId(document, 1), summaryId(document, 2)];
    const others = [summaryId(newId(), 1), summaryId('no id', 1), 'summary-', newId()];
    const asked = [paragraph, first, second, ...others];
    expect(await living(ingestion, ...asked)).toEqual([paragraph, first].sort());
    expect(await living(bench.fresh(), ...asked)).toEqual([]);
    await ingestion.accept(textOf('Two'), { sourceId: 'a' });
    await ingestion.settled();
    expect(await living(ingestion, ...asked)).toEqual([paragraph, first].sort()); // the second does not answer yet
    await ingestion.makeReady(document, 2);
    expect(await living(ingestion, ...asked)).toEqual([second]);
    await ingestion.service.useCases.remove(ingestion.tenant, document);
    expect(await living(ingestion, ...asked)).toEqual([]);
  });
});
