import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pointPayload } from '@postmaster/testing';
import { createTable, type OpenTable, turnTo } from './open-table.js';
import { searchLegs } from './search-legs.js';
import { takeInFresh } from './take-in-fresh.js';
import { writePoints } from './write-points.js';

const index = { name: 'index', encoder: 'test', dimension: 2 };
const IN_PARTS = 0.01; // rows a partition: a search looks at part of the partitions of eight rows
const probe = {
  vector: Float32Array.of(1, 0),
  text: 'word',
  legs: ['paragraph', 'lexical'] as const,
  kind: 'summary' as const,
};

let folder: string;
let connection: Connection;
let table: OpenTable;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-search-legs-'));
  connection = await connect(folder);
  table = await createTable(connection, 't', join(folder, 't.journal'), index.dimension);
  await put([0, 1, 2, 3, 4, 5, 6, 7]);
});
afterEach(async () => {
  await table.journal.close();
  for (const handle of [table.reader, table.writer]) handle.close();
  await rm(folder, { recursive: true });
});

const put = async (positions: number[]): Promise<void> => {
  const patches = positions.map((position) => ({
    index,
    patch: {
      id: `p${position}`,
      revision: 1,
      payload: pointPayload({ text: `word of ${position}`, position }),
      vectors: { paragraph: Float32Array.of(position + 9, 1.5) },
    },
  }));
  await writePoints(table, patches);
  await takeInFresh(table);
  await turnTo(connection, table);
};

/** The table, whose reader fails when it is asked for any of these. */
const without = (calls: readonly string[]): OpenTable => ({
  ...table,
  reader: new Proxy(table.reader, {
    get: (reader, name) => {
      if (calls.includes(String(name))) throw new Error(`The table was asked for its ${String(name)}.`);
      const value: unknown = Reflect.get(reader, name);
      return typeof value === 'function' ? (value.bind(reader) as unknown) : value;
    },
  }),
});

describe('a search for summaries in a large table', () => {
  it('asks the table nothing where it has none', async () => {
    const lists = await searchLegs(without(['countRows', 'query']), probe, 50, IN_PARTS);
    expect(lists).toEqual({ paragraph: [], lexical: [] });
  });

  it('counts none that it knows of, unless a filter says which', async () => {
    await put([-1]);
    const uncounted = without(['countRows']);
    const { paragraph, lexical } = await searchLegs(uncounted, probe, 50, IN_PARTS);
    expect([paragraph, lexical].map((list) => list?.map(({ id }) => id))).toEqual([['p-1'], ['p-1']]);
    const filtered = searchLegs(uncounted, { ...probe, filter: { collections: ['c1'] } }, 50, IN_PARTS);
    await expect(filtered).rejects.toThrow('countRows');
  });
});
