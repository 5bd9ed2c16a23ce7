import { afterAll, expect, it } from 'vitest';
import { documentTexts, spending, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { deliver, eventOf, FakeFacetModel, FakeRequests, parsed, told, untilSettled } from '@postmaster/testing';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, enrichmentService, type EnrichmentTables } from './index.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;
afterAll(() => memory.close());

const tenant = TenantId.parse('ours');
const TEXTS = Array.from({ length: 8 }, (_, at) => `Number ${at}.`);

/** Takes in a document of these texts by a service of its own. */
const takeIn = async (document: string, model: FakeFacetModel): Promise<void> => {
  const requests = new FakeRequests();
  requests.answer(documentTexts, () => Promise.resolve({ documents: [] })); // this is about facets
  requests.answer(spending, () => Promise.resolve({ used: null, tokensLeft: null }));
  const service = enrichmentService({
    ...{ db, model, requests, seal: { sign: async ({ tenant }: { tenant: TenantId }) => tenant } },
    languageOf: () => null,
    onError: (error) => expect(error).toBeUndefined(),
  });
  await deliver(service.consumers, eventOf(tenant, 'paragraphs.parsed', parsed(document, 1, TEXTS)));
  service.start();
  expect(await untilSettled(rows, tenant)).toEqual([]);
  await service.stop();
};

it('replies to paragraphs that were asked about together are kept, told and found again each by its own input', async () => {
  const model = new FakeFacetModel();
  model.paragraphsPerCall = 4;
  model.leftOut.add('Number 5.');
  await takeIn('d1', model);
  expect(model.together.map((texts) => texts.length)).toEqual([4, 4]);
  expect(model.together.flat().sort()).toEqual(TEXTS);
  expect(model.calls.map(({ text }) => text)).toEqual(['Number 5.']);
  const kept = await db.asTenant(tenant, (tx) => tx.selectFrom('paragraphs').select('facets').execute());
  expect(kept.map(({ facets }) => facets?.context).sort()).toEqual(TEXTS.map((text) => `Context of ${text}`));

  const costs = await told(rows, tenant, 'model.called');
  expect(costs).toHaveLength(8);
  expect(new Set(costs.map(({ document }) => document))).toEqual(new Set(['d1']));
  expect(costs.reduce((sum, { calls }) => sum + calls, 0)).toBe(2 + 2 + 1);
  expect(costs.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(10 + 10 + 10);

  const oneByOne = new FakeFacetModel();
  await takeIn('d2', oneByOne);
  expect([oneByOne.calls, oneByOne.together]).toEqual([[], []]);
});
