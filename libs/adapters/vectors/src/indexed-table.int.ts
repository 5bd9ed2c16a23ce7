import { access, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import type { Probe } from '@postmaster/retrieval';
import { pointPayload } from '@postmaster/testing';
import { cosine } from './cosine.js';
import { lanceDbStore } from './lance-db-store.js';
import { INDEX_ROWS } from './table-indexes.js';

const tenant = TenantId.parse('ours');
const index = { name: 'index', encoder: 'test', dimension: 8 };
const rows = INDEX_ROWS + 500;
const MOST = 60; // more than hold the word that is asked for

/** A vector and a text that depend on nothing but two numbers. */
const vector = (n: number, turn = 0): Float32Array =>
  Float32Array.from({ length: 8 }, (_, i) => Math.sin((n + 1) * (i + 1) * 12.9898 + turn));
const words = (n: number): string => `all w${n % 7} v${n % 401} ${'more '.repeat(n % 5)}`;
const patch = (n: number, turn: number) => ({
  id: `p${n}`,
  revision: turn,
  payload: pointPayload({ text: words(n + turn), collection: `c${n % 50}`, active: n % 11 > 0 }),
  vectors: { paragraph: vector(n, turn), simple_questions: [vector(n, turn + 1), vector(n, turn + 2)] },
});

let folder: string;
let store: ReturnType<typeof lanceDbStore>;
const turns = new Map<number, number>();
const put = async (from: number, to: number, turn: number): Promise<void> => {
  const patches = Array.from({ length: to - from }, (_, i) => patch(from + i, turn));
  for (let n = from; n < to; n++) turns.set(n, turn);
  await store.put(tenant, index, patches);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-vectors-'));
  store = lanceDbStore({ folder });
  await put(0, rows, 0);
  await store.optimize(tenant, index);
}, 60_000);
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** The ids and scores that looking at every point gives. */
const exact = (probe: Probe, leg: 'paragraph' | 'simple_questions', most: number): [string, number][] => {
  const scored = [...turns].flatMap(([n, turn]): [string, number][] => {
    const { payload, vectors } = patch(n, turn);
    const collections = probe.filter?.collections;
    if (!payload.active || (collections && !collections.includes(payload.collection ?? ''))) return [];
    return [[`p${n}`, Math.max(...[vectors[leg]].flat().map((one) => cosine(one, probe.vector)))]];
  });
  return scored.sort((a, b) => b[1] - a[1]).slice(0, most);
};

const expectExact = async (filter?: Probe['filter']): Promise<void> => {
  for (const n of [3, 5000]) {
    const probe: Probe = {
      vector: vector(n, 0.3),
      text: 'v17',
      legs: ['paragraph', 'simple_questions', 'lexical'],
      filter,
    };
    const lists = await store.candidates(tenant, index.name, probe, MOST);
    for (const leg of ['paragraph', 'simple_questions'] as const) {
      const all = exact(probe, leg, Infinity);
      const scores = new Map(all);
      expect(lists[leg]).toHaveLength(Math.min(MOST, all.length));
      expect(new Set(lists[leg]?.map(({ id }) => id)).size).toBe(lists[leg]?.length);
      lists[leg]?.forEach(({ id, score }, i) => {
        expect(score).toBeCloseTo(all[i]?.[1] ?? NaN, 4); // what differs less may change places
        expect(scores.get(id)).toBeCloseTo(score, 4);
      });
    }
    const holding = [...turns].filter(([at, turn]) => (at + turn) % 401 === 17 && at % 11 > 0);
    const passing = holding.filter(([at]) => !filter?.collections || filter.collections.includes(`c${at % 50}`));
    expect(lists.lexical?.map(({ id }) => id).sort()).toEqual(passing.map(([at]) => `p${at}`).sort());
  }
};

describe('a table that is large enough for indexes', () => {
  it('answers as if it looked at every point', async () => {
    await expectExact();
    await expectExact({ collections: ['c7'] });
  });

  it('does so while changed and new rows wait for the indexes, after they are in, and when opened again', async () => {
    await put(100, 300, 1);
    await put(rows, rows + 100, 2);
    await expectExact();
    await expectExact({ collections: ['c7', 'c8'] });
    await store.optimize(tenant, index);
    await expectExact();
    await store.close();
    store = lanceDbStore({ folder });
    await expectExact();
  });

  it('searches on while it is compacted', async () => {
    await put(300, 600, 3);
    let compacting = true;
    const compaction = store.optimize(tenant, index).finally(() => (compacting = false));
    while (compacting) await expectExact();
    await compaction;
    await expectExact();
  });
});

describe('points that changed since the last compaction', () => {
  it('stand in the way of none of the table, however many of its best they are', async () => {
    const near = exact({ vector: vector(5000, 0.3), text: '', legs: [] }, 'paragraph', 400).map(([id]) => id);
    for (const id of near) turns.delete(Number(id.slice(1)));
    await store.remove(tenant, index, near);
    await expectExact();
    expect((await store.revisions(tenant, index)).size).toBe(turns.size);
    expect(await store.revisions(tenant, index, near)).toEqual(new Map());
    await store.optimize(tenant, index);
    await expectExact();
    expect((await store.revisions(tenant, index)).size).toBe(turns.size);
  });

  it('are brought into the table when they are many, without being asked to', async () => {
    const journal = join(folder, 'index', 'ours.journal');
    let most = 0;
    for (let from = 10_000; from < 16_500; from += 500) {
      await put(from, from + 500, 1);
      most = Math.max(most, (await stat(journal)).size);
    }
    expect((await stat(journal)).size).toBeLessThan(most / 2);
    await expectExact();
    await put(10_000, 10_100, 2);
    await expectExact({ collections: ['c7'] });
  });

  it('are brought into the table when nothing was written for a while', async () => {
    await store.close();
    store = lanceDbStore({ folder, idle: 20 });
    const journal = join(folder, 'index', 'ours.journal');
    await put(10_000, 10_600, 3);
    for (let i = 0; i < 200 && (await stat(journal)).size > 0; i++) await setTimeout(50);
    expect((await stat(journal)).size).toBe(0);
    await expectExact();
  });
});

describe('a table of more partitions than a search looks at', () => {
  const NEAREST = 10;
  const questions = Array.from({ length: 6 }, (_, n) => vector(400 * n + 7, 0.3));
  const found = async (leg: 'paragraph' | 'simple_questions', filter?: Probe['filter']): Promise<number> => {
    const shares: number[] = [];
    for (const one of questions) {
      const probe: Probe = { vector: one, text: '', legs: [leg], filter };
      const wanted = new Map(exact(probe, leg, NEAREST));
      const list = (await store.candidates(tenant, index.name, probe, MOST))[leg] ?? [];
      shares.push(list.slice(0, NEAREST).filter(({ id }) => wanted.has(id)).length / wanted.size);
    }
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  };

  it('finds at least .95 of the ten nearest, of all and of what a filter leaves, few or many', async () => {
    await store.close();
    store = lanceDbStore({ folder, rowsAPartition: 100 });
    await put(20_000, 20_200, 1);
    await store.optimize(tenant, index);
    for (const leg of ['paragraph', 'simple_questions'] as const) {
      expect(await found(leg)).toBeGreaterThanOrEqual(0.95);
      expect(await found(leg, { collections: ['c7'] })).toBe(1);
      const half = Array.from({ length: 25 }, (_, i) => `c${i}`);
      expect(await found(leg, { collections: half })).toBeGreaterThanOrEqual(0.95);
    }
  });
});

describe('the names of tables', () => {
  it('are folders of index and tenant', async () => {
    await expect(access(join(folder, 'index', 'ours.lance'))).resolves.toBeUndefined();
  });

  it.each(['../ours', 'a/b', '', 'Ours', 'x'.repeat(41)])('refuse %j as a tenant', async (name) => {
    const revisions = store.revisions(name as TenantId, index); // what the type keeps out
    await expect(revisions).rejects.toMatchObject({ code: 'INPUT_INVALID', field: 'tenant' });
  });

  it.each(['..', 'a/b', '', 'A', 'x'.repeat(81)])('refuse %j as an index', async (name) => {
    const refusal = { code: 'INPUT_INVALID', field: 'index' };
    await expect(store.put(tenant, { ...index, name }, [patch(1, 1)])).rejects.toMatchObject(refusal);
  });
});
