import { afterAll, afterEach, expect, it } from 'vitest';
import { encodePassages, TenantId } from '@postmaster/contracts';
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
import { EMBEDDING_SCHEMA, embeddingMigrations, embeddingService, type EmbeddingTables, indexOf } from './index.js';

const memory = await openMemoryDatabase([{ schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations }]);
const db = databaseOf<EmbeddingTables>(memory.kysely, EMBEDDING_SCHEMA);
const tenant = TenantId.parse('ours');
const [store, encoder, requests] = [new FakePointStore(), new FakeEncoder(), new FakeRequests()];
const service = embeddingService({
  ...{ db, encoder, store, requests },
  seal: { sign: async (identity) => identity.tenant },
  onError: (error) => {
    throw error;
  },
});

afterEach(() => service.stop());
afterAll(() => memory.close());

it('a paragraph is compared with a question by its indexed vector, and the question is indexed by the compared one', async () => {
  service.start();
  const give = async (...event: Parameters<typeof eventOf>): Promise<void> => {
    await deliver(service.consumers, eventOf(...event));
    await untilSettled(db as Database<unknown>, tenant);
  };
  await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
  const { vectors } = await requests.ask(encodePassages, tenant, { texts: ['Who?', 'One.'] });
  const { paragraphs, ...rest } = enriched('d', 1, ['One.'], 1);
  const facets = { ...facetsOf('One.'), simpleQuestions: [{ text: 'Who?' }] };
  await give(tenant, 'paragraphs.enriched', { ...rest, paragraphs: paragraphs.map((one) => ({ ...one, facets })) });
  const point = store.point(tenant, indexOf(encoder).name, idOf('d', 'One.'));
  expect(point?.vectors).toMatchObject({ paragraph: vectors[1], simple_questions: [vectors[0]] });
  expect(encoder.encoded.filter((text) => text === 'Who?' || text === 'One.')).toEqual(['One.', 'Who?']);
});
