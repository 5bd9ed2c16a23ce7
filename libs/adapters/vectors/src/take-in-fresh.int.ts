import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pointPayload } from '@postmaster/testing';
import { completeCandidates } from './complete-candidates.js';
import { cosine } from './cosine.js';
import { createTable, type OpenTable, openTable, turnTo } from './open-table.js';
import { readRevisions } from './read-points.js';
import { searchLegs } from './search-legs.js';
import { takeInFresh } from './take-in-fresh.js';
import { writePoints } from './write-points.js';

const index = { name: 'index', encoder: 'test', dimension: 2 };
const put = (n: number, revision: number) => ({
  index,
  patch: {
    id: `p${n}`,
    revision,
    payload: pointPayload({ text: `word of ${n}` }),
    vectors: { paragraph: Float32Array.of(n + 1, 1.5) },
  },
});
const expected = new Map([...Array.from({ length: 10 }, (_, n) => [`p${n}`, n < 4 ? 2 : 1] as const)]);
expected.delete('p9');

let folder: string;
let connection: Connection;
let table: OpenTable;
const journalOf = (): string => join(folder, 't.journal');
const close = async (): Promise<void> => {
  await table.journal.close();
  for (const handle of [table.reader, table.writer]) handle.close();
};

/** Eight points in the table, four of them changed since, one removed, two new. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-taking-in-'));
  connection = await connect(folder);
  table = await createTable(connection, 't', journalOf(), index.dimension);
  await writePoints(
    table,
    [0, 1, 2, 3, 4, 5, 6, 9].map((n) => put(n, 1)),
  );
  await takeInFresh(table);
  await turnTo(connection, table);
  await writePoints(table, [...[0, 1, 2, 3].map((n) => put(n, 2)), { removed: 'p9' }, put(7, 1), put(8, 1)]);
});
afterEach(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const probe = { vector: Float32Array.of(1, 0), text: 'word', legs: ['paragraph', 'lexical'] as const };
const expectAll = async (): Promise<void> => {
  expect(await readRevisions(table)).toEqual(expected);
  const lists = await searchLegs(table, probe, 50);
  for (const list of Object.values(lists)) expect(list.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
  expect(table.statistics.total).toBe(expected.size);
};
const openAnew = async (): Promise<void> => {
  await close();
  const opened = await openTable(await connect(folder), 't', journalOf());
  if (!opened) throw new Error('The table is gone.');
  table = opened;
};
const failing = (step: 'add' | 'delete'): OpenTable['writer'] =>
  new Proxy(table.writer, {
    get: (writer, name) => {
      if (name === step) return () => Promise.reject(new Error('The disk is full.'));
      const value: unknown = Reflect.get(writer, name);
      return typeof value === 'function' ? (value.bind(writer) as unknown) : value;
    },
  });

describe('fresh points that are brought into their table', () => {
  it('are all there before and after, and when the table is opened anew in between', async () => {
    await expectAll();
    await takeInFresh(table);
    await expectAll();
    await openAnew();
    await expectAll();
    await takeInFresh(table);
    await turnTo(connection, table);
    expect([table.fresh.size, table.journal.size]).toEqual([0, 0]);
    await expectAll();
    await openAnew();
    await expectAll();
  });

  it.each(['delete', 'add'] as const)('are not lost or doubled where it ends with its %s', async (step) => {
    await expect(takeInFresh({ ...table, writer: failing(step) })).rejects.toThrow('The disk is full.');
    await expectAll();
    await openAnew();
    await expectAll();
    await takeInFresh(table);
    await turnTo(connection, table);
    await expectAll();
  });

  it('keep their names wherever their rows move, for a search that began before as well', async () => {
    const begun = { ...table };
    await takeInFresh(table);
    await table.writer.optimize();
    await turnTo(connection, table);
    for (const each of [begun, table]) {
      const candidates = await completeCandidates(each, probe, [...expected.keys()]);
      expect(new Set(candidates.map(({ id, payload }) => `${id} ${payload.text}`))).toEqual(
        new Set([...expected.keys()].map((id) => `${id} word of ${id.slice(1)}`)),
      );
      const { paragraph } = await searchLegs(each, probe, 50);
      for (const { id, score } of paragraph ?? [])
        expect(score).toBeCloseTo(cosine(put(Number(id.slice(1)), 1).patch.vectors.paragraph, probe.vector), 5);
    }
  });

  it('change as ever while their table has them in part', async () => {
    await expect(takeInFresh({ ...table, writer: failing('add') })).rejects.toThrow();
    await writePoints(table, [
      { removed: 'p0' },
      { index, patch: { id: 'p0', revision: 1, payload: put(0, 1).patch.payload } },
    ]);
    await writePoints(table, [put(0, 2)]);
    await openAnew();
    await expectAll();
  });
});
