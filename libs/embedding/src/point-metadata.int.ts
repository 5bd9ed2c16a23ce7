import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  eventOf,
  FakeEncoder,
  FakePointStore,
  FakeRequests,
  idOf,
  parsed,
  untilSettled,
} from '@postmaster/testing';
import {
  EMBEDDING_SCHEMA,
  embeddingMigrations,
  type EmbeddingService,
  embeddingService,
  type EmbeddingTables,
  indexOf,
} from './index.js';

const memory = await openMemoryDatabase([{ schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations }]);
const db = databaseOf<EmbeddingTables>(memory.kysely, EMBEDDING_SCHEMA);
const encoder = new FakeEncoder();

let tenant: TenantId;
let store: FakePointStore;
let service: EmbeddingService;
const errors: unknown[] = [];

const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const settled = () => untilSettled(db as Database<unknown>, tenant);
const point = () => store.point(tenant, indexOf(encoder).name, idOf('d', 'One.'));

beforeEach(() => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  store = new FakePointStore();
  service = embeddingService({
    ...{ db, encoder, store, requests: new FakeRequests() },
    seal: { sign: async (identity) => identity.tenant },
    onError: (error) => errors.push(error),
  });
  service.start();
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('a point', () => {
  it('carries what was extracted of its document, below what was given, until a later revision or the deletion', async () => {
    const facts = { ...parsed('d', 1, []).facts, metadata: { vendor: 'As given' } };
    const extracted = (revision: number, values: Record<string, string>, date: string | null) =>
      eventOf(tenant, 'metadata.extracted', { document: 'd', version: 1, lane: 'bulk', revision, values, date });
    const first = extracted(2, { type: 'receipt', vendor: 'Svane Apotek' }, '2026-10-14');
    await expect(deliver(service.consumers, first)).rejects.toMatchObject({ code: 'NOT_FOUND' }); // before its document
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.'], { facts }));
    await settled();
    await deliver(service.consumers, first);
    await settled();
    const metadata = { type: 'receipt', vendor: 'As given' };
    expect(point()?.payload).toMatchObject({ metadata, createdAt: '2026-10-14T00:00:00.000Z' });
    expect(point()?.vectors.paragraph).toBeDefined();
    await deliver(service.consumers, extracted(3, {}, null));
    await deliver(service.consumers, extracted(1, { type: 'letter' }, null)); // late
    await settled();
    expect(point()?.payload).toMatchObject({ metadata: { vendor: 'As given' }, createdAt: null });
    await give(tenant, 'document.deleted', { document: 'd', version: 1 });
    await settled();
    expect(await db.asTenant(tenant, (tx) => tx.selectFrom('metadata').selectAll().execute())).toEqual([]);
  });
});
