import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { NAMED_VECTORS, TenantId } from '@postmaster/contracts';
import { pointPayload } from '@postmaster/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lanceDbStore } from './lance-db-store.js';
import { ALL_VECTORS } from './row-vectors.js';

const tenant = TenantId.parse('ours');
const index = { name: 'main', encoder: 'test', dimension: 2 };
const probe = { vector: Float32Array.of(0.6, 0.8), text: '', legs: NAMED_VECTORS };
const vector = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle));
const given = {
  none: {},
  text: { paragraph: vector(1) },
  questions: { simple_questions: [vector(2), vector(0.9)], complex_questions: [vector(3)] },
  later: { complex_questions: [vector(0.5), vector(2)] },
  all: {
    ...{ paragraph: vector(0.1), context: vector(0.2), scope: vector(0.3) },
    ...{ simple_questions: [vector(0.4), vector(0.5)], complex_questions: [vector(0.6), vector(0.7)] },
  },
};
const patches = Object.entries(given).map(([id, vectors]) => ({
  ...{ id, revision: 1, vectors },
  payload: pointPayload({ text: id }),
}));

let folder: string;
let store: ReturnType<typeof lanceDbStore>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-row-vectors-'));
  store = lanceDbStore({ folder });
  await store.put(tenant, index, patches);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** By id: the score of each leg and which of a list had it. */
const scores = async () => {
  const candidates = await store.complete(tenant, index.name, probe, Object.keys(given));
  return new Map(candidates.map(({ id, scores, matched }) => [id, { scores, matched }]));
};

const rounded = (found: Awaited<ReturnType<typeof scores>>): unknown =>
  JSON.parse(
    JSON.stringify([...found].sort(), (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toFixed(5)) : value,
    ),
  );

describe('a table that was made before a row had its vectors in one piece', () => {
  it('gets them when it is opened: every point scores and changes as before', async () => {
    const fresh = rounded(await scores());
    await store.optimize(tenant, index);
    expect(rounded(await scores())).toEqual(fresh);
    await store.close();
    const database = await connect(join(folder, index.name));
    await (await database.openTable(tenant)).dropColumns([ALL_VECTORS]);
    database.close();

    store = lanceDbStore({ folder });
    expect(rounded(await scores())).toEqual(fresh);
    await store.put(tenant, index, [{ id: 'all', revision: 2, vectors: { paragraph: probe.vector } }]);
    await store.optimize(tenant, index);
    const { scores: ofAll, matched } = (await scores()).get('all') ?? {};
    expect(ofAll).toEqual({
      ...{ paragraph: expect.closeTo(1, 5) as number, context: expect.closeTo(cosine(0.2), 5) as number },
      ...{
        scope: expect.closeTo(cosine(0.3), 5) as number,
        simple_questions: expect.closeTo(cosine(0.5), 5) as number,
      },
      complex_questions: expect.closeTo(cosine(0.7), 5) as number,
    });
    expect(matched).toEqual({ simple_questions: 1, complex_questions: 1 });
  });
});

const cosine = (angle: number): number => 0.6 * Math.cos(angle) + 0.8 * Math.sin(angle);
