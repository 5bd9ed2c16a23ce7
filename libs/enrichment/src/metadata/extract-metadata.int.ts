import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CodedError,
  documentTexts,
  type ExtractedField,
  type Failure,
  failure,
  knownMetadata,
  newId,
  paragraphTexts,
  spending,
  TenantId,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  documentFacts,
  eventOf,
  FakeFacetModel,
  FakeRequests,
  hurry,
  METADATA_DOCUMENTS,
  parsed,
  told,
  until,
  untilSettled,
} from '@postmaster/testing';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, type EnrichmentService, enrichmentService } from '../index.js';
import type { EnrichmentTables } from '../rows/tables.js';
import type { MetadataModel } from './metadata-model.js';
import { MetadataReply } from './metadata-reply.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;
const RECEIPT = METADATA_DOCUMENTS.find(({ name }) => name === 'a pharmacy receipt')!.text;

let tenant: TenantId;
let requests: FakeRequests;
let service: EnrichmentService;
/** What ingestion has, by document. */
let texts: Map<string, { text: string; version: number }>;
const errors: unknown[] = [];

/** A recorded reply, and what it was asked for. */
const modelOf = (reply: unknown) => {
  const asked: string[] = [];
  let failure: CodedError | undefined;
  const model: MetadataModel = {
    id: 'fake:metadata',
    promptVersion: 'test-1',
    readMetadata: ({ text }) => {
      asked.push(text);
      if (failure) return Promise.reject(failure);
      return Promise.resolve({ reply: MetadataReply.parse(reply), usage: { inputTokens: 100, outputTokens: 20 } });
    },
  };
  return { model, asked, fail: (error: CodedError | undefined) => (failure = error) };
};

const serve = (metadata?: MetadataModel): EnrichmentService => {
  service = enrichmentService({
    ...{ db, requests, metadata, pauseMs: 50, model: new FakeFacetModel('extractive') },
    seal: { sign: async (identity) => identity.tenant },
    languageOf: () => null,
    onError: (error) => errors.push(error),
  });
  return service;
};
const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const read = async (document: string, version: number, text: string): Promise<void> => {
  texts.set(document, { text, version });
  await give(tenant, 'paragraphs.parsed', parsed(document, version, [text]));
};
const shown = async (document: string): Promise<Record<string, unknown>> => {
  const [metadata] = await service.useCases.readExtracted(tenant, [document]);
  return Object.fromEntries((metadata?.fields ?? []).map(({ name, value }: ExtractedField) => [name, value]));
};
const correct = (document: string, fields: { name: string; value: unknown }[], takeBack: string[] = []) =>
  service.useCases.correct(tenant, 'anna', { document, fields, takeBack });
const gaveOut = () => told(rows, tenant, 'metadata.extracted');
const settled = () => untilSettled(rows, tenant);

beforeEach(() => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  texts = new Map();
  requests = new FakeRequests();
  requests.answer(documentTexts, (_, { documents }) =>
    Promise.resolve({
      documents: documents.flatMap((id) => {
        const one = texts.get(id);
        const facts = { title: 'A title', contentType: 'text/plain', language: 'da', createdAt: null, found: {} };
        return one ? [{ id, ...facts, ...one }] : [];
      }),
    }),
  );
  serve();
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('metadata of documents', () => {
  it('are extracted by rules, told for filters, and known to plans', async () => {
    await read('d', 1, RECEIPT);
    service.start();
    await settled();
    expect(await shown('d')).toMatchObject({ type: 'receipt', vendor: 'Svane Apotek', date: '2026-10-14' });
    const values = { type: 'receipt', vendor: 'Svane Apotek', amount: 13845, currency: 'DKK' };
    expect(await gaveOut()).toEqual([
      expect.objectContaining({
        document: 'd',
        version: 1,
        date: '2026-10-14',
        values: expect.objectContaining(values),
      }),
    ]);
    expect(await requests.ask(knownMetadata, tenant, {})).toMatchObject({
      metadata: { type: ['receipt'], vendor: ['Svane Apotek'] },
      dated: { from: '2026-10-14T00:00:00.000Z', to: '2026-10-14T00:00:00.000Z' },
    });
  });

  it('are told of nothing for a text that is none of these, and are not sought where no text is stored', async () => {
    await read('d', 1, 'Moss holds water.');
    requests.answer(paragraphTexts, (_, { ids }) =>
      Promise.resolve({ texts: [], failures: ids.map((id) => ({ id, failure: failure('SOURCE_GONE', 'Gone.') })) }),
    );
    texts.set('f', { text: RECEIPT, version: 1 });
    await give(tenant, 'paragraphs.parsed', parsed('f', 1, [''], { facts: documentFacts({ reference: true }) }));
    service.start();
    await settled();
    expect(await gaveOut()).toEqual([]);
    expect(await shown('d')).toEqual({ type: 'other' });
    expect(await shown('f')).toEqual({});
  });

  it('keep a correction over a new version, until it is taken back', async () => {
    await read('d', 1, RECEIPT);
    service.start();
    await settled();
    await correct('d', [
      { name: 'vendor', value: 'Svane Apotek Aarhus' },
      { name: 'tax', value: null },
    ]);
    await read('d', 2, `${RECEIPT}\nKundekopi`);
    await settled();
    expect(await shown('d')).toMatchObject({
      vendor: 'Svane Apotek Aarhus',
      amount: { minor: 13845, currency: 'DKK' },
    });
    expect(await shown('d')).not.toHaveProperty('tax');
    await correct('d', [], ['vendor', 'tax']);
    expect(await shown('d')).toMatchObject({ vendor: 'Svane Apotek', tax: { minor: 2769, currency: 'DKK' } });
    const said = await gaveOut();
    expect(said.map(({ values }) => values.vendor)).toEqual(['Svane Apotek', 'Svane Apotek Aarhus', 'Svane Apotek']);
    expect(said.map(({ revision }) => revision)).toEqual([...said.map(({ revision }) => revision)].sort());
  });

  it.each([
    ['an unknown field', [{ name: 'colour', value: 'red' }], 'INPUT_INVALID'],
    ['a day that there is not', [{ name: 'date', value: '2026-02-31' }], 'INPUT_INVALID'],
    ['a currency that there is not', [{ name: 'amount', value: { minor: 1, currency: 'ZZZ' } }], 'INPUT_INVALID'],
    ['a document without metadata', [{ name: 'vendor', value: 'A' }], 'NOT_FOUND'],
  ])('refuse a correction of %s', async (_, fields, code) => {
    await expect(correct('nowhere', fields)).rejects.toMatchObject({ code });
  });

  it('go with their document, corrections and replies too', async () => {
    const { model } = modelOf({ type: 'receipt', type_quote: 'Bon', fields: [] });
    serve(model);
    await read('d', 1, RECEIPT);
    service.start();
    await settled();
    await correct('d', [{ name: 'vendor', value: 'A' }]);
    await give(tenant, 'document.deleted', { document: 'd', version: 1 });
    for (const table of ['extracted', 'corrections', 'metadata_replies'] as const)
      expect(await db.asTenant(tenant, (tx) => tx.selectFrom(table).selectAll().execute())).toEqual([]);
  });
});

describe('metadata by a model', () => {
  const reply = {
    type: 'receipt',
    type_quote: 'Bon nr. 004518',
    fields: [
      { name: 'vendor', quote: 'svane  apotek', choice: '' },
      { name: 'customer', quote: 'Karl Marx', choice: '' }, // nowhere in the text
      { name: 'amount', quote: '138,45', choice: '' },
      { name: 'date', quote: 'Tak for besøget', choice: '' }, // no date
      { name: 'category', quote: 'Apotek', choice: 'health' },
      { name: 'colour', quote: 'Aarhus', choice: '' }, // no field
    ],
  };

  it('count where the text has them; what it does not have is dropped and counted, and the rules fill in', async () => {
    serve(modelOf(reply).model);
    await read('d', 1, RECEIPT);
    service.start();
    await settled();
    const [metadata] = await service.useCases.readExtracted(tenant, ['d']);
    expect(metadata).toMatchObject({ type: 'receipt', dropped: 2, model: 'fake:metadata' });
    const from = Object.fromEntries(metadata!.fields.map(({ name, from }) => [name, from]));
    expect(from).toMatchObject({ vendor: 'model', amount: 'model', category: 'model', date: 'rule', tax: 'rule' });
    expect(await shown('d')).toMatchObject({ vendor: 'Svane Apotek', category: 'health' });
    expect(await shown('d')).not.toHaveProperty('customer');
  });

  it('are asked for once, whatever is read again', async () => {
    const { model, asked } = modelOf(reply);
    serve(model);
    await read('d', 1, RECEIPT);
    service.start();
    await settled();
    await db.asTenant(tenant, (tx) => tx.deleteFrom('extracted').execute()); // as if killed before it was settled
    await read('d', 1, RECEIPT);
    await settled();
    expect(asked).toHaveLength(1);
    expect(await shown('d')).toMatchObject({ category: 'health' });
  });

  it('are paid for as long as the budget lasts, which hears of each reply; then those of the rules stand', async () => {
    const { model, asked } = modelOf({ type: 'receipt', type_quote: 'Kvittering', fields: [] });
    let used: Failure | null = new CodedError('BUDGET_USED', 'It is used up.').toFailure();
    requests.answer(spending, async () => ({ used, tokensLeft: used ? 0 : null }));
    await service.stop();
    serve(model);
    await read('d', 1, RECEIPT);
    service.start();
    await until(async () => (await shown('d')).vendor === 'Svane Apotek');
    expect([asked, await told(rows, tenant, 'model.called')]).toEqual([[], []]);
    used = null;
    await service.stop();
    serve(model).start(); // which asks for the budget anew
    await hurry(rows);
    await settled();
    expect(asked).toHaveLength(1);
    expect(await told(rows, tenant, 'model.called')).toEqual([
      expect.objectContaining({ task: 'metadata', document: 'd', model: 'fake:metadata', inputTokens: 100 }),
    ]);
  });

  it('leave those of the rules while the model is out, and where it talks nonsense', async () => {
    const { model, asked, fail } = modelOf(reply);
    fail(new CodedError('MODEL_MALFORMED', 'It replied in another form.'));
    serve(model);
    await read('d', 1, RECEIPT);
    service.start();
    await settled();
    expect(asked).toHaveLength(3);
    expect(await service.useCases.readExtracted(tenant, ['d'])).toMatchObject([{ type: 'receipt', model: null }]);
  });
});
