import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, documentTexts, newId, type Spending, spending, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  documentFacts,
  eventOf,
  FakeFacetModel,
  FakeRequests,
  hurry,
  parsed,
  told,
  until,
  untilSettled,
} from '@postmaster/testing';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, type EnrichmentService, enrichmentService } from '../index.js';
import { documentsLeft } from '../rows/documents-left.js';
import type { EnrichmentTables } from '../rows/tables.js';
import type { DocumentSummary, DocumentSummaryModel, SummaryInput } from './summary-model.js';
import { PART } from './summary-parts.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;

const sentence = (n: number): string => `The warehouse in Odense keeps ${n + 100} boxes of rope on shelf ${n + 300}.`;
const textOf = (sentences: number): string => Array.from({ length: sentences }, (_, n) => sentence(n)).join(' ');
const LONG = textOf(400);
const SHORT = textOf(10);

let tenant: TenantId;
let requests: FakeRequests;
let service: EnrichmentService;
let texts: Map<string, { text: string; version: number }>;
let spend: Spending;
const errors: unknown[] = [];

/** Says a text's first sentence, and of parts what each says first. */
const fakeModel = (reply?: DocumentSummary) => {
  const asked: SummaryInput[] = [];
  const state: { failure?: CodedError } = {};
  const model: DocumentSummaryModel = {
    ...{ id: 'fake:summaries', promptVersion: 'test-1' },
    summarizeDocument: async (input) => {
      asked.push(input);
      if (state.failure) throw state.failure;
      const { text } = input;
      const said =
        typeof text === 'string' ? [/The [^.]*\./.exec(text)?.[0] ?? ''] : text.map(({ points }) => points[0] ?? '');
      return {
        reply: reply ?? { points: said, paragraph: said.join(' ') },
        usage: { inputTokens: 100, outputTokens: 20 },
      };
    },
  };
  return { model, asked, state };
};

const serve = (summaries?: DocumentSummaryModel): void => {
  service = enrichmentService({
    ...{ db, requests, summaries, pauseMs: 50, model: new FakeFacetModel('extractive') },
    seal: { sign: async (identity) => identity.tenant },
    languageOf: () => null,
    onError: (error) => errors.push(error),
  });
};
const read = async (document: string, version: number, text: string, change = {}): Promise<void> => {
  texts.set(document, { text, version });
  await deliver(service.consumers, eventOf(tenant, 'paragraphs.parsed', parsed(document, version, [text], change)));
};
const shown = async (document: string) => (await service.useCases.readSummaries(tenant, [document]))[0];
const settled = () => untilSettled(rows, tenant);

beforeEach(() => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  texts = new Map();
  spend = { used: null, tokensLeft: null };
  requests = new FakeRequests();
  requests.answer(spending, async () => spend);
  requests.answer(documentTexts, async (_, { documents, from, most }) => ({
    documents: documents.flatMap((id) => {
      const one = texts.get(id);
      const facts = { title: 'Stock', contentType: 'text/plain', language: 'en', createdAt: null, found: {} };
      return one
        ? [{ id, ...facts, version: one.version, text: one.text.slice(from, from + most), length: one.text.length }]
        : [];
    }),
  }));
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('a document’s summary', () => {
  it('is of its own sentences where there is no model, and says so', async () => {
    serve();
    await read('d', 1, SHORT);
    service.start();
    await settled();
    expect(await shown('d')).toMatchObject({ version: 1, model: 'extractive', promptVersion: 'extractive-summary-1' });
    expect((await shown('d'))?.points[0]).toBe(sentence(0));
    expect(await told(rows, tenant, 'model.called')).toEqual([]);
  });

  it('is the model’s, in one call; of a long text from the summaries of its parts, each paid once and told', async () => {
    const { model, asked } = fakeModel();
    serve(model);
    await read('short', 1, SHORT);
    await read('long', 1, LONG);
    service.start();
    await settled();
    expect(await shown('short')).toMatchObject({
      model: 'fake:summaries',
      promptVersion: 'test-1',
      points: [sentence(0)],
    });
    const parts = Math.ceil(LONG.length / PART);
    const ofLong = asked.filter(({ points }) => points === 7);
    expect(ofLong.map(({ text }) => typeof text)).toEqual([...Array<string>(parts).fill('string'), 'object']);
    expect((await shown('long'))?.points).toHaveLength(parts);
    const costs = await told(rows, tenant, 'model.called');
    expect(costs).toHaveLength(asked.length);
    expect(costs[0]).toMatchObject({ task: 'summaries', model: 'fake:summaries', inputTokens: 100 });
    await read('long', 1, LONG); // said again
    await settled();
    expect(asked).toHaveLength(parts + 2);
  });

  it('asks no model about a text that is short itself, and none about what is not stored', async () => {
    const { model, asked } = fakeModel();
    serve(model);
    await read('tiny', 1, sentence(1));
    await read('file', 1, SHORT, { facts: documentFacts({ reference: true }) });
    service.start();
    await settled();
    expect(asked).toEqual([]);
    expect(await shown('tiny')).toMatchObject({ model: 'extractive', paragraph: sentence(1) });
    expect(await shown('file')).toBeNull();
  });

  it('has nothing that the text does not bear out: what is left of nothing is extracted', async () => {
    const invented = 'The warehouse in Aarhus burnt down in 1987.';
    const { model } = fakeModel({ points: [invented], paragraph: invented });
    serve(model);
    await read('d', 1, SHORT);
    service.start();
    await settled();
    expect(await shown('d')).toMatchObject({ model: 'extractive' });
    expect(JSON.stringify(await shown('d'))).not.toContain('Aarhus');
  });

  it('stands in by its sentences while the model is out, and keeps the parts that were paid', async () => {
    const { model, asked, state } = fakeModel();
    serve(model);
    const ask = model.summarizeDocument.bind(model);
    model.summarizeDocument = async (...call) => {
      if (asked.length === 1) state.failure = new CodedError('MODEL_UNREACHABLE', 'It is out.');
      return ask(...call);
    };
    await read('d', 1, LONG);
    service.start();
    await until(async () => (await shown('d'))?.model === 'extractive');
    const before = asked.length;
    model.summarizeDocument = ask;
    state.failure = undefined;
    await hurry(rows);
    await until(async () => (await shown('d'))?.model === 'fake:summaries');
    const first = asked[0]?.text;
    expect(asked.slice(before).some(({ text }) => text === first)).toBe(false);
  });

  it('waits for a budget, with its sentences meanwhile', async () => {
    const { model, asked } = fakeModel();
    spend = { used: new CodedError('BUDGET_USED', 'Used up.').toFailure(), tokensLeft: 0 };
    serve(model);
    await read('d', 1, SHORT);
    service.start();
    await until(async () => (await shown('d'))?.model === 'extractive');
    expect(asked).toEqual([]);
  });

  it('is told of where its paragraph is new, each time with a later revision', async () => {
    const { model, asked, state } = fakeModel();
    state.failure = new CodedError('MODEL_UNREACHABLE', 'It is out.');
    serve(model);
    await read('d', 1, SHORT, { lane: 'bulk' });
    service.start();
    await until(async () => (await shown('d'))?.model === 'extractive');
    const tried = asked.length;
    await until(async () => {
      await hurry(rows);
      return asked.length > tried + 1; // the same sentences stand in
    });
    state.failure = undefined;
    await hurry(rows);
    await until(async () => (await shown('d'))?.model === 'fake:summaries');
    await read('d', 2, SHORT);
    await settled();
    const made = await told(rows, tenant, 'summary.made');
    expect(made.map(({ version, lane, revision }) => ({ version, lane, revision }))).toEqual([
      { version: 1, lane: 'bulk', revision: 1 },
      { version: 1, lane: 'bulk', revision: 2 },
      { version: 2, lane: 'interactive', revision: 3 },
    ]);
    expect(made[1]).toMatchObject({ document: 'd', paragraph: sentence(0) });
  });

  it('is told of as far as an event can take it', async () => {
    serve();
    await read('d', 1, 'word '.repeat(5_000));
    service.start();
    await settled();
    const [made] = await told(rows, tenant, 'summary.made');
    expect(made!.paragraph.length).toBe(2_500);
    expect((await shown('d'))!.paragraph.length).toBeGreaterThan(2_500);
  });

  it('is of the newest version, and erased with the document, replies and all', async () => {
    const { model } = fakeModel();
    serve(model);
    await read('d', 1, SHORT);
    service.start();
    await settled();
    await read('d', 2, LONG);
    await settled();
    await deliver(service.consumers, eventOf(tenant, 'version.activated', { document: 'd', version: 2 }));
    expect(await shown('d')).toMatchObject({ version: 2 });
    await deliver(service.consumers, eventOf(tenant, 'document.deleted', { document: 'd', version: 2 }));
    expect(await shown('d')).toBeNull();
    const left = await documentsLeft(db)(tenant, ['d']);
    expect(left.filter(({ place }) => place === 'summaries')).toEqual([{ place: 'summaries', left: 0, kept: null }]);
  });
});
