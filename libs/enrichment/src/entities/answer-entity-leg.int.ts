import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entityParagraphs, holdEntities, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { databaseOf } from '@postmaster/durable';
import { deliver, eventOf, FakeRequests, idOf, parsed } from '@postmaster/testing';
import { acceptParagraphs } from '../accept-paragraphs.js';
import { ENRICHMENT_SCHEMA, enrichmentMigrations } from '../index.js';
import { dropStaleGraphs } from '../rows/entities.js';
import { OWN_GRAPH } from '../rows/entity-mentions.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { answerEntityLeg } from './answer-entity-leg.js';
import { findEntities } from './find-entities.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const requests = new FakeRequests(async (token) => ({
  tenant: TenantId.parse(token),
  subject: 'test',
  scopes: ['read', 'admin'],
}));

const LOAN = 'Lone Vestergaard, direktør i Danske Bank (DB), underskrev aftalen den 1. april 2026.';
const DENIAL = 'According to L. Vestergaard, DB has no branch in Germany. Vestergaard spoke in Ribe.';
const PRICE = 'Novo Nordisks aktie steg, og Tyskland fik leveret ordren NN-4711.';

let tenant: TenantId;

const read = async (document: string, texts: string[]): Promise<void> => {
  await deliver([acceptParagraphs(db)], eventOf(tenant, 'paragraphs.parsed', parsed(document, 1, texts)));
  const job = { id: '1', tenant, kind: 'k', key: document, document, version: 1, lane: 'bulk' as const };
  const { store } = await findEntities({ db, isAsked: () => Promise.resolve(false) })(tenant, [
    { ...job, attempts: 1, fence: '1', trace: null },
  ]);
  await db.asTenant(tenant, async (tx) => store?.(tx, []));
};
const named = (): Promise<unknown[]> =>
  db.asTenant(tenant, (tx) => tx.selectFrom('entity_names').selectAll().where('graph', '=', OWN_GRAPH).execute());

beforeAll(() => answerEntityLeg(requests, db));
beforeEach(() => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
});
afterAll(() => memory.close());

describe('the leg of entities', () => {
  const ask = async (query: string, graph?: string, whose = tenant) =>
    (await requests.ask(entityParagraphs, whose, { query, graph, most: 10 })).paragraphs;

  it('gives the paragraphs of what a question names, under any name, and then those of its neighbours', async () => {
    await read('d1', [LOAN, DENIAL]);
    await read('d2', [PRICE, 'Novo Nordisk met Danske Bank.', 'Danske Bank and Novo Nordisk met in Skive.']);
    const found = await ask('what did DB say about ribe?');
    expect(found[0]).toMatchObject({ id: idOf('d1', DENIAL), names: expect.arrayContaining(['Ribe', 'Danske Bank']) });
    expect(found.map(({ score }) => score)).toEqual([...found.map(({ score }) => score)].sort((a, b) => b - a));
    expect(found.map(({ id }) => id)).toContain(idOf('d2', PRICE)); // by its neighbour alone
    expect(found.find(({ id }) => id === idOf('d2', PRICE))?.names).toEqual(['Novo Nordisk']);
    expect(await ask('the bank of a river')).toEqual([]);
    expect(await ask('DB', undefined, TenantId.parse('another'))).toEqual([]);
  });

  it('has a graph for each evaluation, apart from the documents, which goes whole', async () => {
    const graph = 'a'.repeat(24);
    const paragraphs = [{ id: 'p1', document: 'a set', text: 'Danske Bank (DB) has an office in Ribe.' }];
    expect(await requests.ask(holdEntities, tenant, { graph, paragraphs })).toEqual({ held: 1 });
    expect((await ask('Where is DB?', graph)).map(({ id }) => id)).toEqual(['p1']);
    expect(await ask('Where is DB?')).toEqual([]);
    expect(await named()).toEqual([]);
    await dropStaleGraphs(db, 0);
    expect(await ask('Where is DB?', graph)).toEqual([]);
  });
});
