import { Index, type Table } from '@lancedb/lancedb';
import { NAMED_VECTORS } from '@postmaster/contracts';
import { removeShuffleLeftovers } from './shuffle-leftovers.js';

/** Fewer rows than this are scanned faster than an index of them is kept. */
export const INDEX_ROWS = 2000;
export const ROWS_A_PARTITION = 400;
const EXACT_PARTITIONS = 50; // up to here, 20,000 rows, every partition is looked at, which makes the answer exact
const LEAST_PROBES = 16;
export const ALL_PARTITIONS = 100_000;

/**
 * How many partitions of a vector index, the nearest first, a search looks at: all of 50, 16 of 250, 50 of 2,500. Where
 * a filter leaves `passing` of the rows, so many more that as many rows that pass are looked at as without it, which
 * for a small part of a table is all of them.
 */
export const probesFor = (rows: number, passing: number, rowsAPartition: number): number => {
  const partitions = partitionsFor(rows, rowsAPartition);
  if (partitions <= EXACT_PARTITIONS) return ALL_PARTITIONS;
  const probes = Math.max(LEAST_PROBES, Math.sqrt(partitions));
  const needed = Math.ceil((probes * rows) / Math.max(1, passing));
  return needed >= partitions ? ALL_PARTITIONS : needed;
};

const partitionsFor = (rows: number, rowsAPartition: number): number => Math.max(1, Math.round(rows / rowsAPartition));

/** Builds what pays for this many rows and isn't there. */
export const buildIndexes = async (table: Table, rowsAPartition: number): Promise<void> => {
  const rows = await table.countRows();
  if (rows < INDEX_ROWS) return;
  const present = new Set((await table.listIndices()).map(({ columns }) => columns[0]));
  if (!present.has('id')) await table.createIndex('id', { config: Index.btree() });
  for (const name of ['active', 'collection'])
    if (!present.has(name)) await table.createIndex(name, { config: Index.bitmap() });
  if (!present.has('lexical')) await table.createIndex('lexical', { config: lexicalIndex() });
  for (const name of NAMED_VECTORS) {
    const vectors = present.has(name) ? 0 : await table.countRows(`${name} IS NOT NULL`);
    if (vectors >= INDEX_ROWS)
      await table.createIndex(name, { config: vectorIndex(partitionsFor(vectors, rowsAPartition)) });
  }
};

/**
 * Compacts the files, takes versions away that are older than `before`, and brings the indexes up to date. The vector
 * indexes are built anew rather than added to: the parts that LanceDB adds make searches slower one by one, and at
 * times it can't merge them again ("do not share IVF centroids"). Resolves to when the files were compacted: versions
 * from before then hold the files that the table had.
 */
export const compactTable = async (table: Table, before: Date, rowsAPartition: number): Promise<Date> => {
  await dropIndexes(table, NAMED_VECTORS);
  await table.optimize({ cleanupOlderThan: before }).catch(async () => {
    await dropIndexes(table, ['id', 'active', 'lexical']);
    await table.optimize({ cleanupOlderThan: before });
  });
  const compacted = new Date();
  await removeShuffleLeftovers();
  await buildIndexes(table, rowsAPartition);
  for (const { name } of await table.listIndices()) await table.prewarmIndex(name); // so that no search has to wait
  await removeShuffleLeftovers();
  return compacted;
};

/**
 * Takes away what a compaction, over at `compacted`, left behind of the files from before it. Nobody may read a version
 * older than the one made at `since`, nor write; that one stays where this ends within the time between the two, or
 * PRUNE_TIME, which is ten times what it takes. What can't go safely goes with the next compaction.
 */
export const pruneTable = async (table: Table, compacted: Date, since: Date): Promise<void> => {
  await table.optimize({ cleanupOlderThan: new Date(Math.min(compacted.getTime(), since.getTime() - PRUNE_TIME)) });
};

const PRUNE_TIME = 10_000; // milliseconds
/** What is left of a smaller table takes little of the disk, and goes with a compaction half a minute later. */
export const PRUNED_ROWS = 10_000;

/**
 * Milliseconds that a compaction's files may take to be written, at the very most: LanceDB counts an age back from when
 * it has written them, not from when it was told. At a tenth of a millisecond a row, as measured, this is ample.
 */
export const mostCompaction = (rows: number): number => 30_000 + rows;

/** Words are scanned until the next compaction. */
export const dropWordIndex = (table: Table): Promise<void> => dropIndexes(table, ['lexical']);

const dropIndexes = async (table: Table, columns: readonly string[]): Promise<void> => {
  for (const { name, columns: of } of await table.listIndices())
    if (of.some((column) => columns.includes(column))) await table.dropIndex(name);
};

/** Whether the table has an index of words to ask, and how many of its rows the indexes lack. */
export const indexState = async (table: Table): Promise<{ lexical: boolean; unindexed: number }> => {
  const [lexical, paragraph] = [await table.indexStats('lexical_idx'), await table.indexStats('paragraph_idx')];
  const unindexed = lexical && !paragraph ? await table.countRows() : (lexical?.numUnindexedRows ?? 0);
  return { lexical: lexical !== undefined, unindexed };
};

const vectorIndex = (numPartitions: number): Index =>
  Index.ivfFlat({
    distanceType: 'cosine',
    numPartitions,
    maxIterations: 10,
    sampleRate: 32,
  });

/** The text is cut into terms before it comes here (lexical-terms.ts). */
const lexicalIndex = (): Index =>
  Index.fts({
    baseTokenizer: 'whitespace',
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 10_000,
    withPosition: false,
  });
