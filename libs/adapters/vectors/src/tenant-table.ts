import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@lancedb/lancedb';
import type { Leg } from '@postmaster/contracts';
import type { Candidate, Probe, Scored } from '@postmaster/retrieval';
import { completeCandidates } from './complete-candidates.js';
import { createTable, type OpenTable, openTable } from './open-table.js';
import { portions, readRevisions } from './read-points.js';
import { requireDimension } from './require-dimension.js';
import { searchLegs } from './search-legs.js';
import { compactTable, indexState } from './table-indexes.js';
import { type PointChange, writePoints } from './write-points.js';
import { WriteQueue } from './write-queue.js';

const ROWS_A_WRITE = 250;
const READS_FIRST_MS = 150;
const CLOCK_SLACK = 1000; // milliseconds by which the clock may be set back during a compaction
const MOST_WRITES = 50; // each leaves a fragment that every scan opens

export interface TableSchedule {
  /** A table that nothing was written to for so long is compacted where that pays. Milliseconds. */
  idle: number;
  now: () => Date;
}

/** The points of one tenant in one index: opened when first needed, made by the first write, written in one line. */
export class TenantTable {
  private readonly queue = new WriteQueue<PointChange>((changes) => this.write(changes), ROWS_A_WRITE);
  private opened: Promise<OpenTable | undefined> | undefined;
  private indexed = { lexical: false };
  private waiting = { rows: 0, writes: 0 };
  private readonly reads = new Set<Promise<unknown>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connect: () => Promise<Connection>,
    private readonly name: string,
    private readonly schedule: TableSchedule,
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
    return this.reading(searchLegs(table, probe, most, this.indexed));
  }

  async complete(probe: Probe, ids: readonly string[]): Promise<Candidate[]> {
    const table = await this.open();
    return table && ids.length > 0 ? this.reading(completeCandidates(table, probe, ids)) : [];
  }

  async revisions(ids?: readonly string[]): Promise<Map<string, number>> {
    const table = await this.open();
    return table ? this.reading(readRevisions(table.reader, ids)) : new Map();
  }

  drop(): Promise<void> {
    return this.queue.run(async () => {
      const table = await this.open();
      if (!table) return;
      this.opened = Promise.resolve(undefined);
      this.indexed = { lexical: false };
      this.waiting = { rows: 0, writes: 0 };
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
    const table = await openTable(await this.connect(), this.name);
    if (!table) return undefined;
    const { lexical, waiting } = await indexState(table.writer);
    this.indexed = { lexical };
    this.waiting = { rows: waiting, writes: 0 };
    if (waiting > 0) this.rest();
    return table;
  }

  private async write(changes: readonly PointChange[]): Promise<void> {
    const table = await this.openFor(changes);
    if (!table) return;
    for (const some of portions(changes, ROWS_A_WRITE)) {
      if (this.waiting.rows + some.length > mostWaiting(table) || this.waiting.writes >= MOST_WRITES)
        await this.compact().catch(ignored);
      await this.readsFirst();
      this.waiting.writes += 1;
      this.waiting.rows += await writePoints(table, some).catch((reason: unknown) => {
        this.opened = undefined; // what the statistics should be is read from the table again
        throw reason;
      });
    }
    this.rest();
  }

  /** The table, made if there is something to put; nothing where all there is to do is to remove from no table. */
  private async openFor(changes: readonly PointChange[]): Promise<OpenTable | undefined> {
    const indexes = changes.flatMap((change) => ('index' in change ? [change.index] : []));
    let table = await this.open();
    if (!table && indexes[0]) {
      table = await createTable(await this.connect(), this.name, indexes[0].dimension);
      this.opened = Promise.resolve(table);
    }
    for (const { name, dimension } of table ? indexes : [])
      requireDimension(name, table?.dimension ?? dimension, dimension);
    return table;
  }

  /**
   * Merges small files, brings the indexes up to date and takes old versions away. Searches go on meanwhile, on a
   * version that is made for them here, younger than all that go.
   */
  private async compact(): Promise<void> {
    const table = await this.open();
    if (!table) return;
    const before = new Date(this.schedule.now().getTime() - CLOCK_SLACK);
    await table.writer.delete('false');
    await table.reader.checkoutLatest();
    await Promise.allSettled(this.reads);
    await compactTable(table.writer, before);
    await table.reader.checkoutLatest();
    this.indexed = { lexical: (await indexState(table.writer)).lexical };
    this.waiting = { rows: 0, writes: 0 };
  }

  /** A write takes every core for a while: it begins when no search is being answered, or after some time of that. */
  private async readsFirst(): Promise<void> {
    if (this.reads.size === 0) return;
    const late = new AbortController();
    await Promise.race([
      Promise.allSettled(this.reads),
      sleep(READS_FIRST_MS, undefined, { signal: late.signal, ref: false }).catch(ignored),
    ]);
    late.abort();
  }

  private rest(): void {
    clearTimeout(this.timer);
    const compact = async (): Promise<void> => {
      const table = await this.open();
      if (table && pays(this.waiting, table)) await this.compact();
    };
    this.timer = setTimeout(() => void this.queue.run(compact).catch(ignored), this.schedule.idle);
    this.timer.unref();
  }

  private reading<T>(answer: Promise<T>): Promise<T> {
    this.reads.add(answer);
    const over = (): unknown => this.reads.delete(answer);
    answer.then(over, over);
    return answer;
  }
}

/** At rest: a fiftieth of the rows waiting, or as many small files as a scan begins to feel. */
const pays = (waiting: { rows: number; writes: number }, { statistics }: OpenTable): boolean =>
  waiting.rows > statistics.total / 50 || waiting.writes > 20;

/**
 * Rows that may wait for the indexes: searches scan them, and a compaction writes most of the table again, so that it
 * pays the later the larger the table is.
 */
const mostWaiting = ({ statistics }: OpenTable): number => Math.max(500, statistics.total / 10);

/** A compaction that failed loses nothing: it is tried again after the next write. */
const ignored = (): void => undefined;
