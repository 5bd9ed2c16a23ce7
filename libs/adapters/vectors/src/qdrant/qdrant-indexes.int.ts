import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type IndexSpec, LEGS, TenantId } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import { pointPayload, qdrantLauncher, type QdrantServer, startQdrant } from '@postmaster/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lanceDbStore } from '../lance-db-store.js';
import { QdrantClient } from '@qdrant/js-client-rest';
import { type QdrantOptions, type QdrantStore, qdrantStore } from './qdrant-store.js';

const tenant = TenantId.parse('ours');
const spec: IndexSpec = { name: 'notes', encoder: 'test:two', dimension: 2 };
const patch = (id: string, words = `words of ${id}`): PointPatch => ({
  id,
  revision: 1,
  payload: pointPayload({ text: words }),
  vectors: { paragraph: Float32Array.of(0.6, 0.8) },
});
const probe = { vector: Float32Array.of(0.6, 0.8), text: 'words', legs: ['paragraph', 'lexical'] as const };
const launcher = qdrantLauncher();

(launcher ? describe : describe.skip)('An index in Qdrant', () => {
  let server: QdrantServer;
  let client: QdrantClient;
  let made = 0;
  beforeAll(async () => {
    server = await startQdrant({ launcher });
    client = new QdrantClient({ url: server.url, checkCompatibility: false });
  });
  beforeEach(() => {
    made++;
  });
  afterAll(() => server.stop());

  const store = (options: Partial<QdrantOptions> = {}): QdrantStore =>
    qdrantStore({ url: server.url, prefix: `indexes${made}`, ...options });

  it('is made once by eight processes at once, and loses none of their points', async () => {
    const stores = Array.from({ length: 8 }, () => store());
    await Promise.all(stores.map((one, i) => one.put(tenant, spec, [patch(`p${i}`), patch('shared')])));
    expect((await store().revisions(tenant, spec)).size).toBe(9);
    const { collections } = await client.getCollections();
    expect(collections.filter(({ name }) => name.startsWith(`indexes${made}-`))).toHaveLength(1);
  });

  it('refuses a process whose encoder has another dimension, and names both', async () => {
    await store().put(tenant, spec, [patch('p')]);
    const other = { ...spec, dimension: 3 };
    const wrong = { id: 'q', revision: 1, vectors: { paragraph: Float32Array.of(0.6, 0.8, 0) } };
    const refusal = { code: 'DIMENSION_MISMATCH', message: expect.stringMatching(/"notes".* 2 .* 3/) };
    await expect(store().put(tenant, other, [wrong])).rejects.toMatchObject(refusal);
    await expect(store().put(tenant, other, [{ id: 'q', revision: 1 }])).rejects.toMatchObject(refusal);
  });

  it('is swapped for one that was filled beside it, for every process', async () => {
    const [one, other] = [store(), store()];
    const next = { ...spec, name: 'notes-next' };
    await one.put(tenant, spec, [patch('old')]);
    await one.put(tenant, next, [patch('new')]);
    expect((await other.candidates(tenant, 'notes', probe, 5)).paragraph?.map(({ id }) => id)).toEqual(['old']);
    await one.swap('notes', 'notes-next');
    for (const each of [one, other])
      expect((await each.candidates(tenant, 'notes', probe, 5)).paragraph?.map(({ id }) => id)).toEqual(['new']);
    expect((await other.candidates(tenant, 'notes-next', probe, 5)).paragraph).toEqual([]);
    await other.put(tenant, spec, [patch('more')]);
    expect([...(await one.revisions(tenant, spec)).keys()].sort()).toEqual(['more', 'new']);
    await one.put(tenant, next, [patch('again')]); // the collection of that name is in use by now
    expect([...(await one.revisions(tenant, next)).keys()]).toEqual(['again']);
    await one.swap('notes', 'notes-next');
    expect([...(await other.revisions(tenant, spec)).keys()]).toEqual(['again']);
    await expect(one.swap('notes', 'nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of texts whose words have no pieces is asked for words alone', async () => {
    await store().put(tenant, spec, [patch('p', 'børnehaverne')]);
    const found = async (text: string) => {
      const lists = await store().candidates(tenant, 'notes', { ...probe, text, legs: ['lexical'] }, 5);
      return lists.lexical?.map(({ id }) => id);
    };
    expect([await found('børnehave'), await found('børnehaverne')]).toEqual([['p'], ['p']]);
    await client.updateCollection(`indexes${made}-notes.1`, { metadata: { lexical_terms: 1 } });
    expect([await found('børnehave'), await found('børnehaverne')]).toEqual([[], ['p']]);
  });

  it('is made anew by the next write where it was taken away, and answers with nothing until then', async () => {
    const one = store();
    await one.put(tenant, spec, [patch('p')]);
    await client.deleteCollection(`indexes${made}-notes.1`);
    expect(await one.candidates(tenant, 'notes', probe, 5)).toEqual({ paragraph: [], lexical: [] });
    await one.put(tenant, spec, [patch('q')]);
    expect([...(await one.revisions(tenant, spec)).keys()]).toEqual(['q']);
  });

  it('keeps apart points of one id of two tenants', async () => {
    const theirs = TenantId.parse('theirs');
    const one = store();
    await Promise.all([
      one.put(tenant, spec, [patch('p', 'our words')]),
      one.put(theirs, spec, [patch('p', 'their words')]),
    ]);
    expect((await one.complete(theirs, 'notes', probe, ['p']))[0]?.payload.text).toBe('their words');
    await one.drop(tenant, spec);
    expect((await one.revisions(theirs, spec)).size).toBe(1);
  });

  it('gives all revisions, page by page', async () => {
    const one = store();
    await one.put(
      tenant,
      spec,
      Array.from({ length: 1100 }, (_, i) => ({ ...patch(`p${i}`), revision: i })),
    );
    const revisions = await one.revisions(tenant, spec);
    expect(revisions.size).toBe(1100);
    expect(revisions.get('p1099')).toBe(1099);
    expect((await one.revisions(tenant, spec, [...revisions.keys()])).size).toBe(1100);
  });

  it('turns what the operator set into the settings of its collection', async () => {
    await store({ settings: { m: 24, efConstruct: 200, onDisk: true, quantization: 'scalar', shards: 1 } }).put(
      tenant,
      spec,
      [patch('p')],
    );
    const { config } = await client.getCollection(`indexes${made}-notes`);
    expect(config.params.vectors).toMatchObject({
      paragraph: { size: 2, on_disk: true },
      scope: { distance: 'Cosine' },
    });
    if (launcher?.kind === 'server')
      expect(config).toMatchObject({
        hnsw_config: { m: 0, payload_m: 24, ef_construct: 200 },
        quantization_config: { scalar: {} },
      });
  });

  describe('beside LanceDB', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'postmaster-vectors-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('gives the same vector scores and the same matched questions, and of texts of the usual length the same lexical ones', async () => {
      const wide = { ...spec, dimension: 48 };
      const random = seeded(7);
      const vector = () => {
        const values = Float32Array.from({ length: 48 }, () => random() - 0.5);
        const length = Math.hypot(...values);
        return values.map((value) => value / length);
      };
      const word = () => `word${Math.floor(random() ** 2 * 400)}`;
      const patches = Array.from({ length: 60 }, (_, i): PointPatch => ({
        id: `p${i}`,
        revision: 1,
        payload: pointPayload({ text: Array.from({ length: 375 }, word).join(' ') }),
        vectors: {
          paragraph: vector(),
          ...(i % 3 > 0 && {
            simple_questions: [vector(), vector(), vector()],
            complex_questions: [vector(), vector()],
          }),
          ...(i % 4 > 0 && { context: vector(), scope: vector() }),
        },
      }));
      const lance = lanceDbStore({ folder });
      const qdrant = store();
      for (const each of [lance, qdrant]) await each.put(tenant, wide, patches);
      const wideProbe = { vector: vector(), text: 'word1 word300 word70 nowhere', legs: [...LEGS] };
      const ids = patches.map(({ id }) => id);
      const theirs = new Map((await lance.complete(tenant, 'notes', wideProbe, ids)).map((one) => [one.id, one]));
      const ours = await qdrant.complete(tenant, 'notes', wideProbe, ids);
      expect(ours).toHaveLength(60);
      for (const { id, scores, matched, payload } of ours) {
        const expected = theirs.get(id);
        expect(Object.keys(scores).sort()).toEqual(Object.keys(expected?.scores ?? {}).sort());
        for (const leg of LEGS)
          if (scores[leg] !== undefined) expect(scores[leg]).toBeCloseTo(expected?.scores[leg] ?? NaN, 5);
        expect(matched).toEqual(expected?.matched);
        expect(payload).toEqual(expected?.payload);
      }
      const [here, there] = await Promise.all(
        [qdrant, lance].map((each) => each.candidates(tenant, 'notes', wideProbe, 10)),
      );
      for (const leg of LEGS) expect(here?.[leg]?.map(({ id }) => id)).toEqual(there?.[leg]?.map(({ id }) => id));
      await lance.close();
    });
  });
});

const seeded = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
