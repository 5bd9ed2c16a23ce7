import type { Connection, Table } from '@lancedb/lancedb';
import type { Leg } from '@postmaster/contracts';
import type { Candidate, ParagraphChoice, Probe, Scored, StoredParagraph } from '@postmaster/retrieval';
import { completeCandidates } from './complete-candidates.js';
import { Journal } from './journal.js';
import { mostFresh } from './most-fresh.js';
import { createTable, type OpenTable, openTable, turnReader, turnTo } from './open-table.js';
import { readParagraphs } from './read-paragraphs.js';
import { countPoints, portions, readFacetVectors, readRevisions } from './read-points.js';
import { requireDimension } from './require-dimension.js';
import { searchLegs } from './search-legs.js';
import { compactTable, mostCompaction, PRUNED_ROWS, pruneTable } from './table-indexes.js';
import { takeInFresh } from './take-in-fresh.js';
import { type PointChange, writePoints } from './write-points.js';
import { WriteQueue } from './write-queue.js';

const ROWS_A_WRITE = 128;

export interface TableOptions {
  /** A table that nothing was written to for so long is compacted where that pays. Milliseconds. */
  idle: number;
  /** Partitions of vector indexes have about so many rows; a search looks at 16 of them at least. */
  rowsAPartition: number;
}

/** The points of one tenant in one index: opened when first needed, made by the first write, written in one line. */
export class TenantTable {
  private readonly queue = new WriteQueue<PointChange>((changes) => this.write(changes), ROWS_A_WRITE);
  private opened: Promise<OpenTable | undefined> | undefined;
  private readonly reads = new Set<Promise<unknown>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connect: () => Promise<Connection>,
    private readonly name: string,
    private readonly journalPath: string,
    private readonly options: TableOptions,
  ) {}

  /** The dimension of the table's vectors; undefined while there is no table. */
  async dimension(): Promise<number | undefined> {
    return (await this.open())?.dimension;
  }

  change(changes: readonly PointChange[]): Promise<void> {
    return this.queue.add(changes);
  }

  async candidates(probe: Probe, most: number): Promise<Partial<Record<Leg, Scored[]>>> {
    const table = await this.open();
    if (!table) return Object.fromEntries(probe.legs.map((leg) => [leg, []]));
    return this.reading(searchLegs(table, probe, most, this.options.rowsAPartition));
  }

  async complete(probe: Probe, ids: readonly string[]): Promise<Candidate[]> {
    const table = await this.open();
    return table && ids.length > 0 ? this.reading(completeCandidates(table, probe, ids)) : [];
  }

  async read(choice: ParagraphChoice, most: number): Promise<StoredParagraph[]> {
    const table = await this.open();
    return table ? this.reading(readParagraphs(table, choice, most)) : [];
  }

  async revisions(ids?: readonly string[]): Promise<Map<string, number>> {
    const table = await this.open();
    return table ? this.reading(readRevisions(table, ids)) : new Map();
  }

  async facetVectors(ids: readonly string[]): Promise<Map<string, Map<string, Float32Array>>> {
    const table = await this.open();
    return table ? this.reading(readFacetVectors(table, ids)) : new Map();
  }

  async count(documents?: readonly string[]): Promise<number> {
    const table = await this.open();
    return table ? this.reading(countPoints(table, documents)) : 0;
  }

  drop(): Promise<void> {
    return this.queue.run(async () => {
      const table = await this.open();
      if (!table) return;
      this.opened = Promise.resolve(undefined);
      await table.journal.close();
      await Journal.remove(this.journalPath);
      await (await this.connect()).dropTable(this.name);
    });
  }

  optimize(): Promise<void> {
    return this.queue.run(() => this.compact());
  }

  async close(): Promise<void> {
    await this.queue.idle();
    clearTimeout(this.timer);
    await Promise.allSettled(this.reads);
    const table = await this.opened?.catch(() => undefined);
    await table?.journal.close();
    table?.reader.close();
    table?.writer.close();
  }

  private open(): Promise<OpenTable | undefined> {
    this.opened ??= this.load().catch((reason: unknown) => {
      this.opened = undefined; // the next call tries again
      throw reason;
    });
    return this.opened;
  }

  private async load(): Promise<OpenTable | undefined> {
    const table = await openTable(await this.connect(), this.name, this.journalPath);
    if (table) this.rest();
    return table;
  }

  private async write(changes: readonly PointChange[]): Promise<void> {
    const table = await this.openFor(changes);
    if (!table) return;
    for (const some of portions(changes, ROWS_A_WRITE)) {
      if (isFull(table, some.length)) await this.compact().catch(ignored);
      await writePoints(table, some);
    }
    this.rest();
  }

  /** The table, made if there is something to put; nothing where all there is to do is to remove from no table. */
  private async openFor(changes: readonly PointChange[]): Promise<OpenTable | undefined> {
    const indexes = changes.flatMap((change) => ('index' in change ? [change.index] : []));
    let table = await this.open();
    if (!table && indexes[0]) {
      table = await createTable(await this.connect(), this.name, this.journalPath, indexes[0].dimension);
      this.opened = Promise.resolve(table);
    }
    for (const { name, dimension } of table ? indexes : [])
      requireDimension(name, table?.dimension ?? dimension, dimension);
    return table;
  }

  /**
   * Brings all that is fresh into the table, merges its files and brings the indexes up to date. Searches read the
   * version from before until all of this is done; when the last of these has ended, its files go.
   */
  private async compact(): Promise<void> {
    const table = await this.open();
    if (!table) return;
    await takeInFresh(table);
    await Promise.allSettled(this.reads); // none of them may be left from before the last compaction
    const rows = await table.writer.countRows();
    const before = new Date(table.read.since.getTime() - mostCompaction(rows));
    const compacted = await compactTable(table.writer, before, this.options.rowsAPartition);
    const connection = await this.connect();
    this.closeUnread(await turnTo(connection, table));
    if (rows < PRUNED_ROWS) return;
    await Promise.allSettled(this.reads);
    await pruneTable(table.writer, compacted, table.read.since);
    this.closeUnread(await turnReader(connection, table));
  }

  /** Closes a reader that searches have moved on from when the last of those under way has ended. */
  private closeUnread(reader: Table): void {
    void Promise.allSettled(this.reads).then(() => reader.close());
  }

  private rest(): void {
    clearTimeout(this.timer);
    const compact = async (): Promise<void> => {
      const table = await this.open();
      if (table && pays(table)) await this.compact();
    };
    this.timer = setTimeout(() => void this.queue.run(compact).catch(ignored), this.options.idle);
    this.timer.unref();
  }

  private reading<T>(answer: Promise<T>): Promise<T> {
    this.reads.add(answer);
    const over = (): unknown => this.reads.delete(answer);
    answer.then(over, over);
    return answer;
  }
}

/** At rest: when more than a fiftieth of the points are not in the indexes. */
const pays = ({ fresh, read, statistics }: OpenTable): boolean => fresh.size + read.unindexed > statistics.total / 50;

const isFull = ({ fresh, journal, statistics }: OpenTable, more: number): boolean => {
  const most = mostFresh(statistics.total);
  return (
    fresh.size > 0 && (fresh.size + more > most.points || fresh.vectors > most.vectors || journal.size > most.journal)
  );
};

/** A compaction that failed loses nothing: it is tried again with the next write. */
const ignored = (): void => undefined;
