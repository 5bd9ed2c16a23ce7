import { connect, type Connection, Session } from '@lancedb/lancedb';
import type { TenantId } from '@postmaster/contracts';
import type { PointStore } from '@postmaster/embedding';
import type { CandidateStore, Probe } from '@postmaster/retrieval';
import { rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { pageAfter } from './page-after.js';
import { requireDimension, requireVectors } from './require-dimension.js';
import { requireIndexName, requireNames } from './require-names.js';
import { ROWS_A_PARTITION } from './table-indexes.js';
import { type TableOptions, TenantTable } from './tenant-table.js';

export interface LanceDbOptions extends Partial<TableOptions> {
  /** One process at a time may work in it. */
  folder: string;
  /** Memory for indexes at most, 13 KB a paragraph; they are read from disk where it doesn't do. Bytes. */
  indexMemory?: number;
}

/**
 * Vectors and words of all tenants in LanceDB, in this process: a table for each index and tenant, at
 * `<folder>/<index>/<tenant>.lance`, and what changed since its last compaction in `<tenant>.journal` beside it. What was
 * put answers at once; lexical scores are exact at every moment, vector scores always are.
 */
export const lanceDbStore = (options: LanceDbOptions): PointStore & CandidateStore => {
  const { folder, indexMemory = shareOfMemory() } = options;
  const { idle = 5000, rowsAPartition = ROWS_A_PARTITION } = options;
  const session = new Session(BigInt(COUNTED * indexMemory), BigInt(64 * MB));
  const connections = new Map<string, Promise<Connection>>();
  const tables = new Map<string, TenantTable>();
  let closed = false;

  const connection = (index: string): Promise<Connection> => {
    const open = connections.get(index) ?? connect(join(folder, index), { session });
    connections.set(index, open);
    return open;
  };
  const tableOf = (tenant: TenantId, index: string): TenantTable => {
    if (closed) throw new Error('The vector store is closed.');
    requireNames(tenant, index);
    const key = `${index}/${tenant}`;
    const journal = join(folder, index, `${tenant}.journal`);
    const table =
      tables.get(key) ?? new TenantTable(() => connection(index), tenant, journal, { idle, rowsAPartition });
    tables.set(key, table);
    return table;
  };
  const reading = async (tenant: TenantId, index: string, probe: Probe): Promise<TenantTable> => {
    const table = tableOf(tenant, index);
    requireDimension(index, (await table.dimension()) ?? probe.vector.length, probe.vector.length);
    return table;
  };

  return {
    // put and remove take their place in line before anything is awaited: the order of the calls is the order of the writes
    async put(tenant, index, patches) {
      for (const patch of patches) requireVectors(index, patch);
      if (patches.length > 0) await tableOf(tenant, index.name).change(patches.map((patch) => ({ patch, index })));
    },
    async remove(tenant, index, ids) {
      if (ids.length > 0) await tableOf(tenant, index.name).change(ids.map((removed) => ({ removed })));
    },
    revisions: async (tenant, index, ids) => tableOf(tenant, index.name).revisions(ids),
    facetVectors: async (tenant, index, ids) => tableOf(tenant, index.name).facetVectors(ids),
    page: async (tenant, index, after) => pageAfter(await tableOf(tenant, index.name).revisions(), after),
    count: async (tenant, index, documents) => tableOf(tenant, index.name).count(documents),
    drop: async (tenant, index) => tableOf(tenant, index.name).drop(),
    async dropIndex(index) {
      requireIndexName(index);
      for (const [key, table] of tables)
        if (key.startsWith(`${index}/`)) {
          tables.delete(key);
          await table.close();
        }
      (await connections.get(index))?.close();
      connections.delete(index);
      await rm(join(folder, index), { recursive: true, force: true });
    },
    optimize: async (tenant, index) => tableOf(tenant, index.name).optimize(),
    candidates: async (tenant, index, probe, perLeg) => (await reading(tenant, index, probe)).candidates(probe, perLeg),
    complete: async (tenant, index, probe, ids) => (await reading(tenant, index, probe)).complete(probe, ids),
    read: async (tenant, index, choice, most) => tableOf(tenant, index).read(choice, most),
    async close() {
      closed = true;
      await Promise.all([...tables.values()].map((table) => table.close()));
      for (const open of connections.values()) (await open).close();
    },
  };
};

/** How often LanceDB counts the vectors of an index in memory: given less, it would fill half of what it may take. */
export const COUNTED = 2;

/** A sixteenth of the machine's or container's: 20,000 paragraphs at least, 115,000 at most. */
const shareOfMemory = (): number => {
  const constrained = process.constrainedMemory();
  const all = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.min(Math.max(256 * MB, Math.floor(all / 16)), 1536 * MB);
};
const MB = 1024 * 1024;
