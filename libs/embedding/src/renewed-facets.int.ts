import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Facets, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  enriched,
  eventOf,
  facetsOf,
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

let tenant: TenantId, store: FakePointStore, encoder: FakeEncoder, service: EmbeddingService;
const settled = () => untilSettled(db as Database<unknown>, tenant);
const give = async (...event: Parameters<typeof eventOf>): Promise<void> => {
  await deliver(service.consumers, eventOf(...event));
  await settled();
};
const point = () => store.point(tenant, indexOf(encoder).name, idOf('d', 'One.'));
const facets = (revision: number, change: Partial<Facets> = {}) => {
  const { paragraphs, ...rest } = enriched('d', 1, ['One.'], revision);
  return { ...rest, paragraphs: paragraphs.map((one) => ({ ...one, facets: { ...facetsOf('One.'), ...change } })) };
};
const asked = (...texts: string[]) => ({ simpleQuestions: texts.map((text) => ({ text })) });

beforeEach(async () => {
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  [store, encoder] = [new FakePointStore(), new FakeEncoder()];
  service = embeddingService({
    passageBytes: 0, // what is encoded here is counted
    ...{ db, encoder, store, requests: new FakeRequests() },
    seal: { sign: async (identity) => identity.tenant },
    onError: (error) => {
      throw error;
    },
  });
  service.start();
  await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
  await give(tenant, 'paragraphs.enriched', facets(1, asked('Who?', 'When?')));
});
afterEach(() => service.stop());
afterAll(() => memory.close());

describe('facets that are made anew', () => {
  it('cost no encoding of what stays the same, wherever it stands now', async () => {
    const before = point()?.vectors;
    const encoded = encoder.encoded.length;
    await give(tenant, 'paragraphs.enriched', facets(2, { ...asked('When?', 'Where?', 'Who?'), scope: 'Another' }));
    expect(encoder.encoded.slice(encoded)).toEqual(['Where?', 'Another']);
    const { payload, vectors } = point() ?? {};
    expect(payload).toMatchObject({ simpleQuestions: ['When?', 'Where?', 'Who?'], scope: 'Another' });
    const [who, when] = before?.simple_questions ?? [];
    expect(vectors?.simple_questions).toEqual([when, (await encoder.embed(['Where?']))[0], who]);
    expect(vectors).toMatchObject({ complex_questions: before?.complex_questions, context: before?.context });
  });

  it('leave the old ones to searches until their own are written, text and vectors at once', async () => {
    const seen: unknown[] = [];
    store.before = () => void seen.push([point()?.payload.scope, point()?.vectors.scope]);
    const before = point();
    await give(tenant, 'paragraphs.enriched', facets(2, { scope: 'Another' }));
    expect(seen).toEqual([[before?.payload.scope, before?.vectors.scope]]);
    expect([point()?.payload.scope, point()?.vectors.scope]).toEqual([
      'Another',
      (await encoder.embed(['Another']))[0],
    ]);
  });

  it('are encoded whole where it is not certain which text a vector is of', async () => {
    const encoded = encoder.encoded.length;
    const stranger = { id: idOf('d', 'One.'), revision: 99, payload: { scope: 'Written by somebody else' } };
    await store.put(tenant, indexOf(encoder), [stranger]);
    await give(tenant, 'paragraphs.enriched', facets(2, asked('Who?', 'When?')));
    expect(encoder.encoded.slice(encoded)).toHaveLength(5);
  });
});
