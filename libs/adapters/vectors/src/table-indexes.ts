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

/** Each compaction may add a part to an index; ten parts make a search twice as long, and building anew costs by the row. */
const mostParts = (rows: number): number => 4 + Math.floor(rows / 10_000);

/**
 * Builds what pays for this many rows and isn't there, and builds anew what grew by too many parts. The vector indexes
 * are flat: they hold the vectors as they are, in memory, by partition; nothing is quantised.
 */
export const buildIndexes = async (table: Table): Promise<void> => {
  const rows = await table.countRows();
  if (rows < INDEX_ROWS) return;
  const present = new Set((await table.listIndices()).map(({ columns }) => columns[0]));
  if (!present.has('id')) await table.createIndex('id', { config: Index.btree() });
  if (!present.has('lexical')) await table.createIndex('lexical', { config: lexicalIndex() });
  for (const name of NAMED_VECTORS) {
    const parts = (await table.indexStats(`${name}_idx`))?.numIndices ?? 0;
    if (present.has(name) && parts <= mostParts(rows)) continue;
    const vectors = await table.countRows(`${name} IS NOT NULL`);
    if (vectors >= INDEX_ROWS) await table.createIndex(name, { config: vectorIndex(vectors) });
  }
};

/** Whether the lexical leg has an index to ask, and how many rows the indexes don't know yet. */
export const indexState = async (table: Table): Promise<{ lexical: boolean; waiting: number }> => {
  const stats = await table.indexStats('lexical_idx');
  return { lexical: stats !== undefined, waiting: stats?.numUnindexedRows ?? 0 };
};

/** Loads the indexes into memory, so that no search has to. */
export const warmIndexes = async (table: Table): Promise<void> => {
  for (const { name } of await table.listIndices()) await table.prewarmIndex(name);
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
