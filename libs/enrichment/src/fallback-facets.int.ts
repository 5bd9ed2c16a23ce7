import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, documentTexts, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  eventOf,
  facetsOf,
  FakeFacetModel,
  FakeRequests,
  idOf,
  parsed,
  told,
  untilSettled,
} from '@postmaster/testing';
import {
  ENRICHMENT_SCHEMA,
  enrichmentMigrations,
  type EnrichmentService,
  enrichmentService,
  type EnrichmentTables,
} from './index.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;
const requests = new FakeRequests();
requests.answer(documentTexts, () => Promise.resolve({ documents: [] })); // this is about facets

let tenant: TenantId, model: FakeFacetModel, service: EnrichmentService;
const outcomes: string[] = [];
const errors: unknown[] = [];
const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const settled = () => untilSettled(rows, tenant);
const enriched = () => told(rows, tenant, 'paragraphs.enriched');

beforeEach(() => {
  outcomes.length = 0;
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  model = new FakeFacetModel();
  service = enrichmentService({
    ...{ db, model, requests, seal: { sign: async (identity) => identity.tenant }, languageOf: () => null },
    onSettled: (_job, { kind }) => outcomes.push(kind),
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('a text that no model takes', () => {
  it.each(['MODEL_DECLINED', 'MODEL_TEXT_TOO_LONG'] as const)(
    'is given up at once as %s, and the others go on',
    async (code) => {
      model.during = ({ text }) => {
        if (text === 'One.') throw new CodedError(code, 'Not this text.');
      };
      await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
      service.start();
      expect(await settled()).toMatchObject([{ failure: { code } }]);
      expect(model.calls.filter(({ text }) => text === 'One.')).toHaveLength(1);
      expect(outcomes).not.toContain('paused');
      expect((await enriched()).flatMap(({ paragraphs }) => paragraphs.map(({ id }) => id))).toEqual([
        idOf('d', 'Two.'),
      ]);
    },
  );
});

describe('a fallback', () => {
  const wanted = { document: 'd', version: 1, lane: 'bulk' } as const;
  beforeEach(async () => {
    model.fallbacks = ['fake:fallback'];
    model.replies = [facetsOf('One.', { id: 'fake:fallback', promptVersion: model.promptVersion })];
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    service.start();
    await settled();
  });

  it('is named as the maker of its facets, and paid as such', async () => {
    expect((await enriched()).map(({ paragraphs: [one] }) => one?.facets.model)).toEqual(['fake:fallback']);
    expect(await told(rows, tenant, 'model.called')).toMatchObject([{ model: 'fake:fallback' }]);
  });

  it('is not paid again for the same text', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['One.']));
    await settled();
    expect(model.calls).toHaveLength(1);
  });

  it('has its facets made by the first model where they are wanted anew', async () => {
    await give(tenant, 'facets.wanted', wanted);
    await settled();
    expect(model.calls).toHaveLength(2);
    expect((await enriched()).map(({ paragraphs: [one] }) => one?.facets.model)).toEqual(['fake:fallback', model.id]);
  });
});
