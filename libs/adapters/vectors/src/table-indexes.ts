import { Index, type Table } from '@lancedb/lancedb';
import { NAMED_VECTORS } from '@postmaster/contracts';

/** Fewer rows than this are scanned faster than an index of them is kept. */
export const INDEX_ROWS = 2000;
const ROWS_A_PARTITION = 1000;
const EXACT_ROWS = 50_000; // up to here every partition is looked at, which makes the answer exact
const ALL = 100_000;

/**
 * How many partitions of a vector index a search looks at: all of them, and above EXACT_ROWS at least the nearer half,
 * the others only where a filter leaves too few.
 */
export const probesFor = (rows: number): { least: number; all: number } => ({
  least: rows <= EXACT_ROWS ? ALL : Math.ceil(partitionsFor(rows) / 2),
  all: ALL,
});

const partitionsFor = (rows: number): number => Math.max(1, Math.round(rows / ROWS_A_PARTITION));

/** Builds what pays for this many rows and isn't there. */
export const buildIndexes = async (table: Table): Promise<void> => {
  const rows = await table.countRows();
  if (rows < INDEX_ROWS) return;
  const present = new Set((await table.listIndices()).map(({ columns }) => columns[0]));
  if (!present.has('id')) await table.createIndex('id', { config: Index.btree() });
  if (!present.has('active')) await table.createIndex('active', { config: Index.bitmap() });
  if (!present.has('lexical')) await table.createIndex('lexical', { config: lexicalIndex() });
  for (const name of NAMED_VECTORS) {
    const vectors = present.has(name) ? 0 : await table.countRows(`${name} IS NOT NULL`);
    if (vectors >= INDEX_ROWS) await table.createIndex(name, { config: vectorIndex(vectors) });
  }
};

/**
 * Compacts the files, takes versions away that are older than `before`, and brings the indexes up to date. The vector
 * indexes are built anew rather than added to: the parts that LanceDB adds make searches slower one by one, and at
 * times it can't merge them again ("do not share IVF centroids").
 */
export const compactTable = async (table: Table, before: Date): Promise<void> => {
  await dropIndexes(table, NAMED_VECTORS);
  await table.optimize({ cleanupOlderThan: before }).catch(async () => {
    await dropIndexes(table, ['id', 'active', 'lexical']);
    await table.optimize({ cleanupOlderThan: before });
  });
  await buildIndexes(table);
  for (const { name } of await table.listIndices()) await table.prewarmIndex(name); // so that no search has to wait
};

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

const vectorIndex = (vectors: number): Index =>
  Index.ivfFlat({
    distanceType: 'cosine',
    numPartitions: partitionsFor(vectors),
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
