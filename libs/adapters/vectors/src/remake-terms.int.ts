import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import type { Probe } from '@postmaster/retrieval';
import { pointPayload } from '@postmaster/testing';
import { Journal } from './journal.js';
import { lanceDbStore } from './lance-db-store.js';
import { termHash } from './lexical-terms.js';
import { TERMS_MARK } from './point-rows.js';
import { counted, NO_VECTORS } from './stored-point.js';

const tenant = TenantId.parse('ours');
const spec = { name: 'index', encoder: 'test', dimension: 2 };
const vector = Float32Array.of(0.6, 0.8);
const probe: Probe = { vector, text: 'forvaltning E-42', legs: ['lexical'] };
const texts = { a: 'Skatteforvaltningens regler', b: 'En fejl E-42', c: 'En bil', d: 'Forvaltningen så E-42' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-terms-'));
});
afterAll(() => rm(folder, { recursive: true }));

const answer = async (index: string) => {
  const store = lanceDbStore({ folder });
  const lists = await store.candidates(tenant, index, probe, 10);
  const points = await store.complete(tenant, index, probe, Object.keys(texts));
  await store.close();
  return { lexical: lists.lexical, scores: new Map(points.map(({ id, scores }) => [id, scores.lexical])) };
};
const fill = async (index: string, ids: readonly (keyof typeof texts)[]): Promise<void> => {
  const store = lanceDbStore({ folder });
  const patches = ids.map((id) => ({
    id,
    revision: 1,
    payload: pointPayload({ text: texts[id] }),
    vectors: { paragraph: vector },
  }));
  await store.put(tenant, { ...spec, name: index }, patches);
  await store.optimize(tenant, { ...spec, name: index });
  await store.close();
};

it('a table and a journal that were written with other terms answer as if they had been written now', async () => {
  await fill('now', ['a', 'b', 'c', 'd']);
  await fill('before', ['a', 'b', 'c']);
  const connection = await connect(join(folder, 'before'));
  const table = await connection.openTable(tenant);
  await table.update({ values: { lexical: 'skatteforvaltningens' }, where: 'true' });
  await table.update({ valuesSql: { terms: "X'01000000'" }, where: 'true' });
  await table.updateFieldMetadata([{ path: 'terms', metadata: { [TERMS_MARK]: null } }]);
  connection.close();
  const { journal } = await Journal.open(join(folder, 'before', `${tenant}.journal`), 2);
  const point = { id: 'd', revision: 1, payload: pointPayload({ text: texts.d }) };
  const after = counted({ ...point, vectors: { ...NO_VECTORS, paragraph: [vector] } });
  await journal.append([{ id: 'd', after: { ...after, terms: Uint32Array.of(termHash('forvaltningen')) } }]);
  await journal.close();

  const expected = await answer('now');
  expect(expected.lexical?.map(({ id }) => id)).toEqual(['d', 'b', 'a']);
  expect(await answer('before')).toEqual(expected);
  expect(await answer('before')).toEqual(expected);
});
