import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { FreshPoints } from './fresh-points.js';
import { Journal } from './journal.js';
import { kindCondition } from './point-condition.js';
import { dimensionOf, pointSchema, POSITION_OF_PAYLOAD } from './point-rows.js';
import { hasOtherTerms, remakeTerms } from './remake-terms.js';
import { rowReader } from './row-reader.js';
import { ALL_VECTORS, allVectorsOfColumns } from './row-vectors.js';
import { counted, isCounted } from './stored-point.js';
import { indexState } from './table-indexes.js';
import { TableRows } from './table-rows.js';
import { TermStatistics } from './term-statistics.js';

/**
 * A tenant's points of one index: the table in LanceDB as its last compaction left it, and over it the points that
 * changed since, in memory and in the journal.
 */
export interface OpenTable {
  writer: Table;
  /** Stays at one version, whatever is written; a compaction ends with another. Fresh points count before its rows. */
  reader: Table;
  schema: Schema;
  dimension: number;
  journal: Journal;
  fresh: FreshPoints;
  /**
   * Of the reader's version: whether it has an index of words, how many rows its indexes lack, when it was made, the
   * ids that aren't active, where these are few, those of summaries, and the numbers of its rows.
   */
  read: {
    lexical: boolean;
    unindexed: number;
    since: Date;
    inactive: ReadonlySet<string> | undefined;
    summaries: ReadonlySet<string>;
    rows: TableRows;
  };
  /** Of the paragraphs among the active points, as the last finished write left them. */
  statistics: TermStatistics;
}

/** The points as they are on disk, their terms as they are made now; undefined where there is no table. */
export const openTable = async (
  connection: Connection,
  name: string,
  journalPath: string,
): Promise<OpenTable | undefined> => {
  if (!(await connection.tableNames()).includes(name)) return undefined;
  const writer = await connection.openTable(name);
  const columns = await writer.schema();
  const dimension = dimensionOf(columns);
  if (!columns.names.includes('position'))
    await writer.addColumns([{ name: 'position', valueSql: POSITION_OF_PAYLOAD }]);
  if (!columns.names.includes(ALL_VECTORS))
    await writer.addColumns([{ name: ALL_VECTORS, valueSql: allVectorsOfColumns(dimension) }]);
  const { journal, changes } = await Journal.open(journalPath, dimension);
  const schema = pointSchema(dimension);
  const outdated = await hasOtherTerms(writer);
  let fresh = new FreshPoints();
  for (const { id, after } of changes) fresh.set({ id, after: after && (outdated ? counted(after) : after) });
  if (outdated) {
    await remakeTerms(connection, { writer, schema, journal, fresh });
    fresh = new FreshPoints();
  }
  const reader = await connection.openTable(name);
  const [statistics, read] = [await countTerms(reader, fresh), await readState(reader)];
  return { writer, reader, schema, dimension, journal, fresh, read, statistics };
};

/** The journal of a table that is gone is of no use to the next one. */
export const createTable = async (
  connection: Connection,
  name: string,
  journalPath: string,
  dimension: number,
): Promise<OpenTable> => {
  await Journal.remove(journalPath);
  const schema = pointSchema(dimension);
  const writer = await connection.createEmptyTable(name, schema);
  const reader = await connection.openTable(name);
  const { journal } = await Journal.open(journalPath, dimension);
  const [fresh, statistics, read] = [new FreshPoints(), new TermStatistics(), await readState(reader)];
  return { writer, reader, schema, dimension, journal, fresh, read, statistics };
};

/**
 * Moves searches on to the table as it is now, which has taken in all that was fresh. Those under way end on the reader
 * that they began with, which is what this gives back.
 */
export const turnTo = async (connection: Connection, table: OpenTable): Promise<Table> => {
  const before = await turnReader(connection, table);
  table.fresh = new FreshPoints();
  await table.journal.clear();
  return before;
};

/** Moves searches on to a newer version of the same points. */
export const turnReader = async (connection: Connection, table: OpenTable): Promise<Table> => {
  const reader = await connection.openTable(table.writer.name);
  const read = await readState(reader);
  const before = table.reader;
  Object.assign(table, { reader, read });
  return before;
};

const readState = async (reader: Table): Promise<OpenTable['read']> => {
  const at = await reader.version();
  const version = (await reader.listVersions()).find(({ version }) => version === at);
  return {
    ...(await indexState(reader)),
    since: version?.timestamp ?? new Date(0),
    inactive: await fewInactive(reader),
    summaries: await idsOf(reader.query().where(kindCondition('summary'))),
    rows: await TableRows.of(reader),
  };
};

const FEW = 500;

const fewInactive = async (reader: Table): Promise<ReadonlySet<string> | undefined> => {
  const query = reader.query().where('active = false');
  const ids = await idsOf(query.limit(FEW + 1));
  return ids.size > FEW ? undefined : ids;
};

const idsOf = async (query: ReturnType<Table['query']>): Promise<Set<string>> => {
  const ids = new Set<string>();
  for await (const batch of query.select(['id'])) {
    const { rows, strings } = rowReader(batch);
    const id = strings('id');
    for (let row = 0; row < rows; row++) ids.add(id(row));
  }
  return ids;
};

const countTerms = async (table: Table, fresh: FreshPoints): Promise<TermStatistics> => {
  const statistics = new TermStatistics();
  for await (const batch of table
    .query()
    .where(`active = true AND ${kindCondition('paragraph')}`)
    .select(['id', 'terms'])) {
    const { rows, strings, terms } = rowReader(batch);
    const [id, of] = [strings('id'), terms('terms')];
    for (let row = 0; row < rows; row++) if (!fresh.has(id(row))) statistics.add(of(row));
  }
  for (const { payload, terms } of fresh.present()) if (isCounted(payload)) statistics.add(terms);
  return statistics;
};
