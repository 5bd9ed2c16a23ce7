const POINTS = 6000; // a search looks at the words of each, some 2 ms for 1,000
const VECTORS = 32_000; // of 384 numbers 49 MB; a search looks at each, some .6 ms for 1,000
const JOURNAL = 128 * 1024 * 1024; // bytes, read when the table is opened
const GROWS_FROM = 16_000; // points
const MOST_GROWTH = 4;

/**
 * How much may be fresh before a table of `total` points is compacted. Every search looks at all of it, and it is held
 * in memory; a compaction writes the whole table and its indexes again, which takes every core for a while. So a larger
 * table waits for more, about a quarter of it, which keeps what is written in all at some five times what is there, until memory and the searches of a bulk ingest set the end, at 64,000 points.
 */
export const mostFresh = (total: number): { points: number; vectors: number; journal: number } => {
  const growth = Math.min(Math.max(1, total / GROWS_FROM), MOST_GROWTH);
  return { points: growth * POINTS, vectors: growth * VECTORS, journal: growth * JOURNAL };
};
