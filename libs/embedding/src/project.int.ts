import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError, NAMED_VECTORS, newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf, outsideTransactions } from '@postmaster/durable';
import {
  deliver,
  enriched,
  eventOf,
  FakeEncoder,
  FakePointStore,
  FakeRequests,
  idOf,
  jobsOf,
  parsed,
  told,
  until,
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
const rows = db as Database<unknown>;

let tenant: TenantId;
let store: FakePointStore;
let encoder: FakeEncoder;
let service: EmbeddingService;
const errors: unknown[] = [];
/** "<job's kind> <outcome> <code>", of every settled job. */
const outcomes: string[] = [];

const started = (given: FakeEncoder): EmbeddingService => {
  const made = embeddingService({
    db,
    encoder: outsideTransactions('encoder', given),
    store: outsideTransactions('store', store),
    requests: new FakeRequests(),
    seal: { sign: async (identity) => identity.tenant },
    pauseMs: 100,
    onSettled: ({ kind }, outcome) =>
      outcomes.push(
        `${kind} ${outcome.kind}${'why' in outcome && typeof outcome.why === 'object' ? ` ${outcome.why.code}` : ''}`,
      ),
    onError: (error) => errors.push(error),
  });
  made.start();
  return made;
};
const give = (...event: Parameters<typeof eventOf>): Promise<void> => deliver(service.consumers, eventOf(...event));
const settled = () => untilSettled(rows, tenant);
const point = (text: string, document = 'd', from = encoder) =>
  store.point(tenant, indexOf(from).name, idOf(document, text));
const vectorsOf = (text: string): string[] => {
  const vectors = point(text)?.vectors ?? {};
  return NAMED_VECTORS.filter((name) => [vectors[name] ?? []].flat().length > 0);
};
const rowCount = () =>
  db.asTenant(tenant, async (tx) => (await tx.selectFrom('paragraphs').select('id').execute()).length);

beforeEach(() => {
  outcomes.length = 0;
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
  store = new FakePointStore();
  encoder = new FakeEncoder();
  service = started(encoder);
});
afterEach(async () => {
  await service.stop();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => memory.close());

describe('a point', () => {
  it('becomes its text at once and its facets when they come', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await settled();
    expect(vectorsOf('One.')).toEqual(['paragraph']);
    expect(await told(rows, tenant, 'paragraphs.indexed')).toMatchObject([{ stage: 'text', version: 1 }]);
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.']));
    await settled();
    expect(vectorsOf('One.')).toEqual([...NAMED_VECTORS]);
    expect(point('One.')?.payload).toMatchObject({ text: 'One.', active: true, context: 'Context of One. #1' });
    expect((await told(rows, tenant, 'paragraphs.indexed')).map(({ stage }) => stage)).toEqual(['text', 'facets']);
  });

  it('has facets that came before their text handed back, and ends whole when both have come', async () => {
    const early = eventOf(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.']));
    await expect(deliver(service.consumers, early)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await deliver(service.consumers, early);
    await settled();
    expect(vectorsOf('One.')).toEqual([...NAMED_VECTORS]);
  });

  it('ends whole when its text comes late: after facets of a row that was written without it', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.']));
    await give(
      tenant,
      'paragraphs.parsed',
      parsed('d', 1, ['One.'], { facts: { ...parsed('d', 1, []).facts, title: 'New' } }),
    );
    await settled();
    expect(vectorsOf('One.')).toEqual([...NAMED_VECTORS]);
    expect(point('One.')?.payload.title).toBe('New');
  });

  it('is written again when its row moves while it is written', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    let moved = false;
    store.before = async () => {
      if (moved) return;
      moved = true;
      await db.asTenant(tenant, (tx) =>
        tx
          .updateTable('paragraphs')
          .set((eb) => ({ position: 7, revision: eb('revision', '+', '1') }))
          .where('document', '=', 'd')
          .execute(),
      );
    };
    await settled();
    expect(point('One.')?.payload.position).toBe(7);
  });

  it('keeps the newest facets, whatever order they come in', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.'], 2));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.'], 1));
    await settled();
    expect(point('One.')?.payload.context).toBe('Context of One. #2');
  });

  it('of a long text is made of all its windows', async () => {
    const long = Array.from({ length: 150 }, (_, i) => `word${i}`).join(' ');
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, [long]));
    await settled();
    expect(encoder.encoded).toHaveLength(3);
    const [vectors] = await service.useCases.readVectors(tenant, [idOf('d', long)]);
    expect(vectors).toMatchObject([{ name: 'paragraph', windows: 3 }]);
  });
});

describe('unchanged work', () => {
  it('costs no encoding when an event comes again, nor when a new version has the same paragraph', async () => {
    const event = eventOf(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    await deliver(service.consumers, event);
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.', 'Two.']));
    await settled();
    const before = encoder.encoded.length;
    await deliver(service.consumers, event);
    expect(await jobsOf(rows, tenant)).toEqual([]);
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['Two.', 'Three.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 2, ['Two.']));
    await settled();
    expect(encoder.encoded.slice(before)).toEqual(['Three.']);
    expect(vectorsOf('Two.')).toEqual([...NAMED_VECTORS]);
    const indexed = (await told(rows, tenant, 'paragraphs.indexed')).filter(({ version }) => version === 2);
    expect(indexed.flatMap(({ paragraphs }) => paragraphs)).toHaveLength(3); // two texts, one paragraph's facets
  });

  it('is written again from the rows when the marks of what was written are wiped', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.']));
    await settled();
    await store.drop(tenant, indexOf(encoder));
    await db.asTenant(tenant, (tx) =>
      tx.updateTable('paragraphs').set({ written_index: null, written_text: null, written_facets: null }).execute(),
    );
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.']));
    await settled();
    expect(vectorsOf('One.')).toEqual([...NAMED_VECTORS]);
  });
});

describe('a new version', () => {
  it('answers before the old one goes, and the old one goes', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['Old.', 'Both.']));
    await settled();
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['Both.', 'New.']));
    await settled();
    expect(point('New.')?.payload.active).toBe(false);
    expect(point('Old.')?.payload.active).toBe(true);
    const answering: boolean[] = [];
    store.before = (change) => {
      if (change.startsWith('remove')) answering.push(point('New.')?.payload.active === true);
    };
    await give(tenant, 'version.activated', { document: 'd', version: 2 });
    await settled();
    expect(answering).toEqual([true]);
    expect(point('Old.')).toBeUndefined();
    expect(point('New.')?.payload.active && point('Both.')?.payload.active).toBe(true);
    expect(await rowCount()).toBe(2);
  });

  it('that is the first asks for no work when it begins to answer: its points were written as shown', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    await settled();
    await give(tenant, 'version.activated', { document: 'd', version: 1 });
    expect([await jobsOf(rows, tenant), point('One.')?.payload.active]).toEqual([[], true]);
  });

  it('lets what is older fall away: text, facets and activations', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['New.'], { active: true }));
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['Old.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['Old.']));
    await give(tenant, 'version.activated', { document: 'd', version: 1 });
    await settled();
    expect(point('Old.')).toBeUndefined();
    expect(point('New.')?.payload.active).toBe(true);
  });

  it('brings back, with its vectors, a paragraph that is just being taken away', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['Old.', 'Kept.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['Old.']));
    await settled();
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['Kept.']));
    let back = false;
    store.before = async (change) => {
      if (back || !change.startsWith('remove')) return;
      back = true;
      await give(tenant, 'paragraphs.parsed', parsed('d', 3, ['Old.', 'Kept.'], { active: true }));
      await until(async () => (await jobsOf(rows, tenant)).every(({ kind }) => kind === 'embedding.swap'));
    };
    await give(tenant, 'version.activated', { document: 'd', version: 2 });
    await settled();
    expect(back).toBe(true);
    expect(vectorsOf('Old.')).toEqual([...NAMED_VECTORS]);
  });
});

describe('a delete', () => {
  it('takes points and rows and says so, though facets are arriving, and lets nothing late back in', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Two.']));
    await give(tenant, 'paragraphs.parsed', parsed('other', 1, ['Else.']));
    await settled();
    let deleted = false;
    store.before = async () => {
      if (deleted) return;
      deleted = true;
      await give(tenant, 'document.deleted', { document: 'd', version: 1 });
    };
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.', 'Two.']));
    await settled();
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.', 'Three.']));
    await give(tenant, 'paragraphs.enriched', enriched('d', 1, ['One.']));
    await settled();
    expect([point('One.'), point('Two.'), point('Three.')]).toEqual([undefined, undefined, undefined]);
    expect(point('Else.', 'other')).toBeDefined();
    expect(await rowCount()).toBe(1);
    expect(await told(rows, tenant, 'document.forgotten')).toEqual([
      { document: 'd', version: 1, service: 'embedding' },
    ]);
  });

  it('lets a document that comes again as a newer version in', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await give(tenant, 'document.deleted', { document: 'd', version: 1 });
    await settled();
    await give(tenant, 'paragraphs.parsed', parsed('d', 2, ['One.'], { active: true }));
    await settled();
    expect(point('One.')?.payload).toMatchObject({ version: 2, active: true });
    expect(vectorsOf('One.')).toEqual(['paragraph']);
  });
});

describe('what the operator has to mend', () => {
  it('pauses while the encoder is out, spends no attempt, and goes on by itself', async () => {
    encoder.failure = new CodedError('ENCODER_UNREACHABLE', 'It is out.');
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await until(() => outcomes.length >= 2);
    expect(new Set(outcomes)).toEqual(new Set(['embedding.index-text paused ENCODER_UNREACHABLE']));
    await until(async () => (await jobsOf(rows, tenant)).every(({ state }) => state === 'ready'));
    expect((await jobsOf(rows, tenant)).map(({ attempts }) => attempts)).toEqual([0]);
    encoder.failure = undefined;
    expect(await settled()).toEqual([]);
    expect(vectorsOf('One.')).toEqual(['paragraph']);
  });

  it('pauses, text and deletes alike, where the index is of another encoder, and spends no attempt', async () => {
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['One.']));
    await settled();
    await service.stop();
    outcomes.length = 0;
    service = started(new FakeEncoder('fake:other', 24));
    await give(tenant, 'paragraphs.parsed', parsed('e', 1, ['Two.']));
    await give(tenant, 'document.deleted', { document: 'd', version: 1 });
    await until(() => new Set(outcomes).size === 2);
    expect(new Set(outcomes)).toEqual(
      new Set(['embedding.index-text paused DIMENSION_MISMATCH', 'embedding.swap paused DIMENSION_MISMATCH']),
    );
    await service.stop();
    expect((await jobsOf(rows, tenant)).map(({ attempts }) => attempts)).toEqual([0, 0]);
    service = started(encoder);
    expect(await settled()).toEqual([]);
    expect([point('One.'), point('Two.', 'e')?.payload.text]).toEqual([undefined, 'Two.']);
  });

  it('becomes a dead letter that names the paragraphs when it keeps failing for no known reason', async () => {
    store.before = (change) => {
      if (change === `put ${idOf('d', 'Poison.')}`) throw new Error('The store has a fault.');
    };
    await give(tenant, 'paragraphs.parsed', parsed('d', 1, ['Poison.']));
    const letters = await settled();
    expect(letters).toMatchObject([
      { name: 'embedding.index-text', key: idOf('d', 'Poison.'), failure: { code: 'INTERNAL' } },
    ]);
    expect(await told(rows, tenant, 'paragraphs.failed')).toMatchObject([
      { stage: 'text', failures: [{ paragraph: idOf('d', 'Poison.'), failure: { code: 'INTERNAL' } }] },
    ]);
    expect(errors.splice(0)).toHaveLength(5);
  });
});
