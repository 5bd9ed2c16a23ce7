import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection, Session } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pointPayload } from '@postmaster/testing';
import { COUNTED } from './lance-db-store.js';
import { createTable, type OpenTable, turnReader, turnTo } from './open-table.js';
import { readRevisions } from './read-points.js';
import {
  ALL_PARTITIONS,
  compactTable,
  INDEX_ROWS,
  mostCompaction,
  probesFor,
  pruneTable,
  ROWS_A_PARTITION,
} from './table-indexes.js';
import { takeInFresh } from './take-in-fresh.js';
import { writePoints } from './write-points.js';

const index = { name: 'index', encoder: 'test', dimension: 32 };
const MINUTE = 60_000;
const BYTES_A_ROW_NUMBER = 8;

let folder: string;
let connection: Connection;
let table: OpenTable;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-indexes-'));
  connection = await connect(folder);
  table = await createTable(connection, 't', join(folder, 't.journal'), index.dimension);
});
afterEach(async () => {
  await table.journal.close();
  for (const handle of [table.reader, table.writer]) handle.close();
  await rm(folder, { recursive: true });
});

const bytes = async (): Promise<number> => {
  const entries = await readdir(join(folder, 't.lance'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** All points anew, compacted; gives back when its files were. */
const compacted = async (revision: number): Promise<Date> => {
  const patches = Array.from({ length: INDEX_ROWS }, (_, n) => ({
    index,
    patch: {
      id: `p${n}`,
      revision,
      payload: pointPayload({ text: `word of ${n}` }),
      vectors: { paragraph: Float32Array.from({ length: 32 }, (_, i) => Math.sin((n + 1) * (i + 1) * 12.9898)) },
    },
  }));
  await writePoints(table, patches);
  await takeInFresh(table);
  const before = new Date(table.read.since.getTime() - mostCompaction(INDEX_ROWS));
  const at = await compactTable(table.writer, before, 1000);
  await turnTo(connection, table);
  return at;
};

describe('a table that is compacted again and again', () => {
  it('takes as much of the disk as after the first time, and is read meanwhile', async () => {
    await compacted(1);
    const first = await bytes();
    for (const revision of [2, 3, 4, 5]) {
      const at = await compacted(revision);
      const reading = readRevisions(table);
      await pruneTable(table.writer, at, new Date(Date.now() + MINUTE)); // as if its indexes had taken a minute to make
      await turnReader(connection, table);
      expect(new Set((await reading).values())).toEqual(new Set([revision]));
    }
    expect(await bytes()).toBeLessThan(1.5 * first);
    expect((await readRevisions(table)).size).toBe(INDEX_ROWS);
  });

  it('keeps the version that is read, however soon it is pruned', async () => {
    const at = await compacted(1);
    const version = await table.reader.version();
    await pruneTable(table.writer, at, table.read.since);
    expect((await table.writer.listVersions()).map((one) => one.version)).toContain(version);
    expect((await readRevisions(table)).size).toBe(INDEX_ROWS);
  });
});

describe('the memory that indexes have', () => {
  it('is counted by LanceDB as often as the store makes up for', async () => {
    await compacted(1);
    const session = new Session(BigInt(1e9), BigInt(1e9));
    const own = await connect(folder, { session });
    await (await own.openTable('t')).prewarmIndex('paragraph_idx');
    own.close();
    const held = INDEX_ROWS * (index.dimension * Float32Array.BYTES_PER_ELEMENT + BYTES_A_ROW_NUMBER);
    expect(Math.round(Number(session.sizeBytes()) / held)).toBe(COUNTED);
  });
});

describe('a search', () => {
  it.each([
    ['all of a small table', 10_000, 10_000, ALL_PARTITIONS],
    ['all of one that is still looked through exactly', 20_000, 20_000, ALL_PARTITIONS],
    ['sixteen of a larger one', 30_000, 30_000, 16],
    ['no more of 250', 100_000, 100_000, 16],
    ['fewer of many, but more in all', 1_000_000, 1_000_000, 50],
    ['so many more as a filter leaves out', 100_000, 50_000, 32],
    ['all for the filter of a small collection', 100_000, 300, ALL_PARTITIONS],
    ['all where nothing passes', 100_000, 0, ALL_PARTITIONS],
  ])('looks at %s', (_, rows, passing, probes) => expect(probesFor(rows, passing, ROWS_A_PARTITION)).toBe(probes));
});
