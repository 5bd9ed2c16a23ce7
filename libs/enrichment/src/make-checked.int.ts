import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, documentTexts, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf, outsideTransactions, revive } from '@postmaster/durable';
import {
  deliver,
  eventOf,
  facetsOf,
  FakeFacetModel,
  FakeRequests,
  idOf,
  parsed,
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

let tenant: TenantId;
let model: FakeFacetModel;
let service: EnrichmentService;
const requests = new FakeRequests();
requests.answer(documentTexts, () => Promise.resolve({ documents: [] })); // this is about facets
const rejected: string[] = [];
const errors: unknown[] = [];

const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const settled = () => untilSettled(db as Database<unknown>, tenant);
const replies = () => db.asTenant(tenant, (tx) => tx.selectFrom('replies').selectAll().execute());

beforeEach(() => {
  rejected.length = 0;
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  model = new FakeFacetModel();
  service = enrichmentService({
    db,
    model: outsideTransactions('model', model),
    requests,
    seal: { sign: async (identity) => identity.tenant },
    languageOf: () => null,
    onRejected: (reason) => rejected.push(reason),
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('what a model writes that does not count', () => {
  const text =
    'Nordkajen has 24 employees, and Birgit Holm heads the office in Aarhus from eight until four on every weekday.';
  const good = {
    ...facetsOf(text),
    simpleQuestions: [{ text: 'Who heads the office in Aarhus?' }, { text: 'How many employees has Nordkajen?' }],
    complexQuestions: [{ text: 'Why is the office headed from eight?' }],
    ...{ context: 'About Nordkajen.', scope: 'Nordkajen, employees' },
  };
  const poor = { ...good, simpleQuestions: [{ text: 'Who heads Vestbanken?' }], complexQuestions: [], context: '' };
  const ask = async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, [text]));
    service.start();
    return settled();
  };
  const stored = async () => (await service.useCases.readFacets(tenant, [idOf('d', text)]))[0];

  it('is asked about once more with the reasons, and what is good of both stays', async () => {
    model.replies = [poor, good];
    expect(await ask()).toEqual([]);
    expect(model.calls.map(({ rejected: told }) => told?.map(({ reason }) => reason))).toEqual([
      undefined,
      ['UNKNOWN_NAME'],
    ]);
    expect(await stored()).toMatchObject({ context: 'About Nordkajen.', quality: expect.any(Number) });
    expect((await stored())?.simpleQuestions).toHaveLength(2);
    expect(rejected).toEqual(['UNKNOWN_NAME']);
    expect(await service.useCases.readRejections(tenant)).toEqual([
      { part: 'simple_questions', reason: 'UNKNOWN_NAME', count: 1, paragraphs: 1 },
    ]);
  });

  it('leaves what is good where the second reply is no better, and neither is paid for again', async () => {
    model.replies = [{ ...poor, scope: 'employees' }, poor];
    expect(await ask()).toEqual([]);
    expect(await stored()).toMatchObject({ simpleQuestions: [], scope: 'employees' });
    await give(tenant, 'paragraphs.parsed', parsed('e', 1, [text]));
    await settled();
    expect(model.calls).toHaveLength(2);
    await give(tenant, 'document.deleted', { document: 'e', version: 1 });
    await give(tenant, 'document.deleted', { document: 'd', version: 1 });
    expect(await replies()).toEqual([]);
    expect(await service.useCases.readRejections(tenant)).toEqual([]);
  });

  it('leaves what is good where the second reply is nonsense', async () => {
    model.replies = [poor];
    model.during = ({ rejected: told }) => {
      if (told) throw new CodedError('MODEL_MALFORMED', 'It answers in verse.');
    };
    expect(await ask()).toEqual([]);
    expect(await stored()).toMatchObject({ scope: 'Nordkajen, employees' });
  });

  it('gives a paragraph up of which nothing is left, and asks anew when it is sent again', async () => {
    const bad = { ...poor, scope: 'the bank Vestbanken' };
    model.replies = [bad, bad];
    const [letter] = await ask();
    expect(letter).toMatchObject({ failure: { code: 'FACETS_REJECTED' } });
    model.replies = [good];
    await db.asTenant(tenant, (tx) => revive(tx, tenant, { ids: [letter?.id ?? ''] }));
    expect(await settled()).toEqual([]);
    expect(await stored()).toMatchObject({ scope: 'Nordkajen, employees' });
  });
});
