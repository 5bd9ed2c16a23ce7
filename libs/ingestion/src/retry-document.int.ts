import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { revive } from '@postmaster/durable';
import { type Ingestion, ingestionBench, textOf } from '../test/ingestion-bench.js';
import { retryDocument } from './retry-document.js';
import { PARSE } from './rows/documents.js';

const bench = await ingestionBench();
let ingestion: Ingestion;
beforeEach(() => {
  ingestion = bench.fresh();
  ingestion.parser.failure = new Error('a fault of ours');
  ingestion.service.start();
});
afterEach(async () => {
  await ingestion.service.stop();
  bench.errors.splice(0);
});
afterAll(() => bench.close());

const givenUp = async (): Promise<{ document: string; letter: string }> => {
  const { document } = await ingestion.accept(textOf('One'));
  const [letter] = await ingestion.settled();
  expect(letter).toMatchObject({ source: 'job', name: PARSE, document });
  expect(await ingestion.document(document)).toMatchObject({ status: 'FAILED' });
  ingestion.parser.failure = undefined;
  return { document, letter: letter?.id ?? '' };
};

describe('a document whose reading was given up', () => {
  it('is read when it is retried, and is no dead letter from then on', async () => {
    const { document } = await givenUp();
    const retry = retryDocument({ db: bench.db, profile: ingestion.profile, now: () => ingestion.clock.now });
    expect(await retry(ingestion.tenant, document)).toBe(true);
    expect(await ingestion.settled()).toEqual([]);
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED', failure: null });
  });

  it('is read when its dead letter is sent again', async () => {
    const { document, letter } = await givenUp();
    await bench.db.asTenant(ingestion.tenant, (tx) => revive(tx, ingestion.tenant, { ids: [letter] }));
    expect(await ingestion.settled()).toEqual([]);
    expect(await ingestion.document(document)).toMatchObject({ status: 'PARSED', failure: null });
  });
});
