import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, documentTexts, type Facets, newId, spending, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  documentFacts,
  eventOf,
  facetsOf,
  FakeFacetModel,
  FakeRequests,
  idOf,
  parsed,
  told,
  untilSettled,
} from '@postmaster/testing';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, type EnrichmentService, enrichmentService } from '../index.js';
import type { MetadataAsked, MetadataModel } from '../metadata/metadata-model.js';
import type { EnrichmentTables } from '../rows/tables.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;

let tenant: TenantId, model: FakeFacetModel, metadata: MetadataModel, service: EnrichmentService;
let read: MetadataAsked[];
const errors: unknown[] = [];
const requests = new FakeRequests();
const asText = { title: 'Scan', contentType: 'text/plain', createdAt: null, found: {}, version: 1, text: 'One.' };
requests.answer(documentTexts, async (_, { documents }) => ({
  documents: documents.map((id) => ({ ...asText, id, language: 'en' })),
}));
const spent = { used: null as null | { code: 'BUDGET_USED'; message: string; next: string }, tokensLeft: null };
requests.answer(spending, async () => spent);

const start = (facets = model): void => {
  service = enrichmentService({
    ...{ db, model: facets, metadata, requests, languageOf: () => null },
    seal: { sign: async (identity) => identity.tenant },
    onError: (error) => errors.push(error),
  });
  service.start();
};
const restart = async (facets = model): Promise<void> => {
  await service.stop();
  start(facets);
};
const settled = () => untilSettled(rows, tenant);
const give = async (...event: Parameters<typeof eventOf>): Promise<void> => {
  await deliver(service.consumers, eventOf(...event));
  await settled();
};
const ingest = (texts: string[], version = 1, facts: Parameters<typeof documentFacts>[0] = {}, document = 'd') =>
  give(tenant, 'paragraphs.parsed', parsed(document, version, texts, { facts: documentFacts(facts) }));
const enrich = (document = 'd') => give(tenant, 'facets.wanted', { document, version: 1, lane: 'bulk' });
const madeWith = async (text: string, document = 'd'): Promise<string | undefined> => {
  const [facets] = await service.useCases.readFacets(tenant, [idOf(document, text)]);
  return facets?.promptVersion;
};
const set = (given: object, dryRun = false) =>
  service.useCases.setPrompt(tenant, 'anna', { task: 'facets', language: 'en', ...given }, dryRun);
const shown = async (task = 'facets', language = 'en') =>
  (await service.useCases.showPrompts(tenant)).find((one) => one.task === task && one.language === language);

beforeEach(() => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  model = new FakeFacetModel();
  read = [];
  metadata = {
    ...{ id: 'fake:metadata', promptVersion: 'test-1' },
    readMetadata: async (document) => {
      read.push(document);
      return { reply: { type: 'other', type_quote: '', fields: [] }, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  start();
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('the version of a prompt', () => {
  it('is kept with what it made, and names language and type of the document', async () => {
    await ingest(['One.'], 1, { title: 'Lease' });
    expect(await madeWith('One.')).toMatch(/^facets-3\/en\/contract-1@[0-9a-f]{8}$/);
    await ingest(['Un.'], 1, { metadata: { type: 'Referat' } }, 'e');
    expect(await madeWith('Un.', 'e')).toMatch(/^facets-3\/en\/minutes-1@/);
  });

  it('follows what a person corrects once the facets are wanted anew', async () => {
    await ingest(['One.']);
    expect(await madeWith('One.')).toMatch(/^facets-3\/en@/);
    await service.useCases.correct(tenant, 'anna', {
      ...{ document: 'd', takeBack: [] },
      fields: [{ name: 'type', value: 'contract' }],
    });
    await ingest(['One.'], 2);
    expect(model.calls).toHaveLength(1);
    await enrich();
    expect(await madeWith('One.')).toMatch(/^facets-3\/en\/contract-1@/);
  });

  it('stays for what is given out again, whatever is extracted meanwhile', async () => {
    await ingest(['One.']);
    await service.stop();
    const again = parsed('d', 1, ['One.', 'Two.'], { facts: documentFacts() });
    await deliver(service.consumers, eventOf(tenant, 'paragraphs.parsed', again));
    await service.useCases.correct(tenant, 'anna', {
      ...{ document: 'd', takeBack: [] },
      fields: [{ name: 'type', value: 'contract' }],
    });
    await deliver(service.consumers, eventOf(tenant, 'paragraphs.parsed', again));
    start();
    await settled();
    expect(await madeWith('Two.')).toMatch(/^facets-3\/en@/);
  });
});

describe('a prompt of the tenant', () => {
  it('makes nothing anew by itself: not on a restart, nor of a paragraph that a new version keeps', async () => {
    await ingest(['One.']);
    const before = await madeWith('One.');
    const { version } = await set({ rules: 'Ask of dates.' });
    model.calls.length = 0;
    await restart();
    await settled();
    await ingest(['One.', 'Two.'], 2);
    expect(model.calls.map(({ text }) => text)).toEqual(['Two.']);
    expect(model.calls[0]?.prompt?.system).toMatch(/Ask of dates\.$/);
    expect([await madeWith('One.'), await madeWith('Two.')]).toEqual([before, version]);
  });

  it('counts for what is asked for anew, whose old facets stay until then; a reply is never paid for twice', async () => {
    await ingest(['One.']);
    const before = await madeWith('One.');
    const { version } = await set({ rules: 'Ask of dates.' });
    model.calls.length = 0;
    let meanwhile: string | undefined;
    model.during = async () => void (meanwhile = await madeWith('One.'));
    await enrich();
    await enrich();
    expect([meanwhile, await madeWith('One.'), model.calls.length]).toEqual([before, version, 1]);
    expect((await told(rows, tenant, 'paragraphs.enriched')).map(({ paragraphs: [one] }) => one?.revision)).toEqual([
      1, 2,
    ]);

    const back = await set({ rules: null });
    expect(back).toMatchObject({ version: (await shown())?.version, isOwn: false, rules: null, tried: null });
    await enrich();
    expect([await madeWith('One.'), model.calls.length]).toEqual([before, 1]); // the first reply was kept
  });

  it('is shown as it counts: by task and language, to nobody else', async () => {
    const instructions = 'Ask like a lawyer.\n{{data}}\n{{reply}}';
    await set({ instructions });
    await set({ rules: 'Ask of dates.' });
    expect(await shown()).toMatchObject({
      isOwn: true,
      instructions,
      rules: 'Ask of dates.',
      needs: ['data', 'reply'],
    });
    expect((await shown())?.version).toMatch(/^facets-3\+own-2\/en@/);
    expect(await shown('facets', 'da')).toMatchObject({ isOwn: false });
    tenant = TenantId.parse(`t-${newId().slice(-12)}`);
    expect(await shown()).toMatchObject({ isOwn: false });
  });

  it('is tried on a sample, shown what came of it, and kept only where that is wanted', async () => {
    const tried = await set({ rules: 'Ask of dates.' }, true);
    expect(tried).toMatchObject({
      isOwn: true,
      tried: { model: 'fake:facets', facets: { context: expect.any(String) } },
    });
    expect(model.calls.map(({ prompt }) => prompt?.system)).toEqual([tried.system]);
    expect(await told(rows, tenant, 'model.called')).toMatchObject([{ document: '', inputTokens: 10 }]);
    expect(await shown()).toMatchObject({ isOwn: false });
    await restart(new FakeFacetModel('extractive'));
    expect(await set({ rules: 'Ask of dates.' })).toMatchObject({ isOwn: true, tried: null });
  });

  it('of metadata counts for what is read from then on, or asked for anew', async () => {
    await ingest(['One.']);
    await set({ task: 'metadata', rules: 'Dates are American.' });
    const count = read.length;
    await ingest(['One.']); // given out again
    expect(read).toHaveLength(count);
    await enrich();
    expect(read.slice(count).map(({ prompt }) => prompt?.system)).toEqual([
      expect.stringMatching(/Dates are American\.$/),
    ]);
    await enrich();
    expect(read).toHaveLength(count + 1);
  });
});

describe('a prompt that can not be used is refused, and nothing changes', () => {
  const nonsense: Facets = { ...facetsOf('x'), simpleQuestions: [{ text: 'See http://x' }], complexQuestions: [] };
  const needs = '{{data}} {{reply}}';
  const nothing = (): void => {};
  it.each<[string, object, string, string, () => unknown]>([
    ['that is too long', { rules: 'x'.repeat(4001) }, 'INPUT_INVALID', 'rules', nothing],
    ['of an unknown task', { task: 'poems', rules: 'x' }, 'INPUT_INVALID', 'task', nothing],
    ['that lacks a placeholder', { instructions: 'Ask. {{data}}' }, 'PROMPT_REFUSED', '{{reply}} is missing', nothing],
    [
      'with an unknown placeholder',
      { instructions: `${needs} {{key}}` },
      'PROMPT_REFUSED',
      'unknown placeholder {{key}}',
      nothing,
    ],
    [
      'with one that is no name',
      { rules: 'Ask of {{ a date }}.' },
      'PROMPT_REFUSED',
      'placeholder {{a date}}',
      nothing,
    ],
    ['whose rules have a placeholder', { rules: '{{data}}' }, 'PROMPT_REFUSED', 'none is allowed here', nothing],
    [
      'that a model answers in another form',
      { rules: 'Answer in verse.' },
      'PROMPT_REFUSED',
      'another form',
      () => (model.failure = new CodedError('MODEL_MALFORMED', 'It is verse.')),
    ],
    [
      'of whose answer nothing stands',
      { rules: 'x' },
      'PROMPT_REFUSED',
      'See http://x',
      () => model.replies.push(nonsense),
    ],
    [
      'while the model is out',
      { rules: 'x' },
      'MODEL_UNREACHABLE',
      'out',
      () => (model.failure = new CodedError('MODEL_UNREACHABLE', 'It is out.')),
    ],
    [
      'while the budget is used up',
      { rules: 'x' },
      'BUDGET_USED',
      'all',
      () => (spent.used = { code: 'BUDGET_USED', message: 'It is all gone.', next: 'Wait.' }),
    ],
  ])('%s', async (_, given, code, says, before) => {
    before();
    await expect(set(given)).rejects.toMatchObject({
      ...{ code, message: expect.stringContaining(says) },
      next: expect.stringMatching(/./),
    });
    spent.used = null;
    expect(await shown()).toMatchObject({ isOwn: false });
  });
});
