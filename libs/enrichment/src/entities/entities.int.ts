import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deletionRequests, documentTexts, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  documentFacts,
  eventOf,
  FakeFacetModel,
  FakeRequests,
  idOf,
  parsed,
  untilSettled,
} from '@postmaster/testing';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, type EnrichmentService, enrichmentService } from '../index.js';
import type { EnrichmentTables } from '../rows/tables.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;

const LOAN =
  'Lone Vestergaard, direktør i Danske Bank (DB), underskrev aftalen med Novo Nordisk A/S den 1. april 2026.';
const DENIAL = 'According to L. Vestergaard, DB has no branch in Germany. Vestergaard spoke in Ribe.';
const PRICE = 'Novo Nordisks aktie steg, og Tyskland fik leveret ordren NN-4711 fra Novo Nordisk.';

let tenant: TenantId;
let service: EnrichmentService;
let requests: FakeRequests;
const errors: unknown[] = [];

const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const read = (document: string, version: number, texts: string[], given: Parameters<typeof parsed>[3] = {}) =>
  give(tenant, 'paragraphs.parsed', parsed(document, version, texts, given));
const settled = () => untilSettled(rows, tenant);
const graph = () => service.useCases.entities;
const all = async (whose = tenant) => (await graph().page(whose, { first: 100 })).items.map(({ node }) => node);
const named = async (name: string) => (await all()).find((entity) => entity.name === name)!;
const aliasesOf = async (name: string) => (await graph().aliases(tenant, [(await named(name)).id]))[0]!;

beforeEach(() => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  requests = new FakeRequests();
  requests.answer(documentTexts, () => Promise.resolve({ documents: [] }));
  service = enrichmentService({
    ...{ db, requests, pauseMs: 50, model: new FakeFacetModel('extractive') },
    seal: { sign: async (identity) => identity.tenant },
    languageOf: () => null,
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('entities of documents', () => {
  it('are found per paragraph, one thing under all its names, with who says so and what stands beside it', async () => {
    await read('d1', 1, [LOAN, DENIAL]);
    await read('d2', 1, [PRICE]);
    service.start();
    await settled();
    expect((await all()).map(({ name, type }) => `${type} ${name}`)).toEqual([
      'date 1. april 2026',
      'organisation Danske Bank',
      'place Germany',
      'person Lone Vestergaard',
      'code NN-4711',
      'organisation Novo Nordisk',
      'place Ribe',
    ]);
    expect((await aliasesOf('Lone Vestergaard')).map(({ name, why }) => [name, why])).toEqual(
      expect.arrayContaining([
        ['Lone Vestergaard', null],
        ['L. Vestergaard', 'initials'],
        ['Vestergaard', 'surname'],
      ]),
    );
    expect(await aliasesOf('Danske Bank')).toContainEqual(
      expect.objectContaining({ name: 'DB', why: 'told', paragraphs: 2 }),
    );
    const novo = await named('Novo Nordisk');
    expect((await aliasesOf('Novo Nordisk')).map(({ name, why }) => [name, why])).toEqual(
      expect.arrayContaining([
        ['Novo Nordisk A/S', null],
        ['Novo Nordisks', 'genitive'],
      ]),
    );
    const paragraphs = await graph().paragraphs(tenant, [novo.id], { first: 10 });
    expect(paragraphs.items.map(({ node }) => node).sort()).toEqual([idOf('d1', LOAN), idOf('d2', PRICE)].sort());
    const lone = await named('Lone Vestergaard');
    const beside = await graph().neighbours(tenant, lone.id, { first: 2 });
    expect(beside).toMatchObject({ hasNext: true, total: 5 });
    expect(beside.items[0]!.node).toMatchObject({ entity: { name: 'Danske Bank' }, weight: 2 });
    const both = await graph().paragraphs(tenant, [lone.id, (await named('Danske Bank')).id], { first: 10 });
    expect(both.total).toBe(2);
    const inDocument = await graph().inDocument(tenant, 'd2', { first: 1 });
    expect(inDocument).toMatchObject({ hasNext: true, total: 3, items: [{ node: { name: 'Novo Nordisk' } }] });
    const rest = await graph().inDocument(tenant, 'd2', { first: 5, after: inDocument.items[0]!.cursor });
    expect(rest.items.map(({ node }) => node.name)).toEqual(['Germany', 'NN-4711']);
    expect((await graph().ofParagraphs(tenant, [idOf('d2', PRICE), 'none'], 40)).map((found) => found.length)).toEqual([
      3, 0,
    ]);
  });

  it('are found by any of their names, page by page, by type', async () => {
    await read('d1', 1, [LOAN, DENIAL]);
    service.start();
    await settled();
    const search = async (asked: object) =>
      (await graph().page(tenant, { first: 10, ...asked })).items.map(({ node }) => node.name);
    expect(await search({ search: 'DB' })).toEqual(['Danske Bank']);
    expect(await search({ search: 'vestergaard' })).toEqual(['Lone Vestergaard']);
    expect(await search({ search: 'Tyskland' })).toEqual(['Germany']);
    expect(await search({ types: ['place'] })).toEqual(['Germany', 'Ribe']);
    const first = await graph().page(tenant, { first: 2 });
    const second = await graph().page(tenant, { first: 100, after: first.items[1]!.cursor });
    expect([...first.items, ...second.items].map(({ node }) => node)).toEqual(await all());
  });

  it('say the same whatever came first, and however often', async () => {
    const came = async (order: readonly (readonly [string, string[]])[]) => {
      tenant = TenantId.parse(`t-${newId().slice(-12)}`);
      for (const [document, texts] of order) {
        await read(document, 1, texts);
        await settled();
      }
      return db.asTenant(tenant, (tx) =>
        tx.selectFrom('entity_names').select(['key', 'entity', 'name', 'type']).orderBy('key').execute(),
      );
    };
    service.start();
    const one = await came([
      ['d1', [LOAN, DENIAL]],
      ['d2', [PRICE]],
    ]);
    const other = await came([
      ['d2', [PRICE]],
      ['d1', [DENIAL]],
      ['d1', [LOAN, DENIAL]],
      ['d2', [PRICE]],
    ]);
    expect(other).toEqual(one);
  });

  it('of a paragraph that stays are kept over versions, and what is gone takes its names along', async () => {
    await read('d1', 1, [LOAN, DENIAL]);
    service.start();
    await settled();
    await read('d1', 2, [DENIAL, PRICE]);
    await settled();
    await give(tenant, 'version.activated', { document: 'd1', version: 2 });
    expect((await all()).map(({ name }) => name)).toEqual([
      ...['DB', 'Germany', 'L. Vestergaard', 'NN-4711', 'Novo Nordisk', 'Ribe', 'Vestergaard'],
    ]);
  });

  it('are counted by a receipt, and nothing of them is left of a deleted document', async () => {
    await read('d1', 1, [LOAN, DENIAL]);
    await read('d2', 1, [PRICE]);
    service.start();
    await settled();
    const left = async (documents: string[]) => {
      const { places } = await requests.ask(deletionRequests('enrichment').countDocuments, tenant, { documents });
      return places.find(({ place }) => place === 'entities and relations')?.left;
    };
    expect(await left(['d1'])).toBeGreaterThan(10);
    await give(tenant, 'document.deleted', { document: 'd1', version: 1 });
    expect(await left(['d1'])).toBe(0);
    expect((await all()).map(({ name }) => name)).toEqual(['Tyskland', 'NN-4711', 'Novo Nordisk']);
    await give(tenant, 'document.deleted', { document: 'd2', version: 1 });
    for (const table of ['entity_names', 'entity_mentions', 'entity_merges', 'entity_read'] as const)
      expect(await db.asTenant(tenant, (tx) => tx.selectFrom(table).selectAll().execute())).toEqual([]);
  });

  it("are another tenant's of nothing, and of a document in its file there are none", async () => {
    await read('d1', 1, [LOAN]);
    const facts = documentFacts({ reference: true });
    service.start();
    await settled();
    const other = TenantId.parse('another');
    expect(await all(other)).toEqual([]);
    const [one] = await all();
    expect(await graph().byId(other, [one!.id])).toEqual([null]);
    const { paragraphs, ...batch } = parsed('d1', 2, [LOAN], { facts });
    const referred = paragraphs.map((paragraph) => ({ ...paragraph, text: '' }));
    await give(tenant, 'paragraphs.parsed', { ...batch, paragraphs: referred });
    expect(await all()).toEqual([]);
  });
});
