import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { dimensionOf, pointSchema } from './point-rows.js';
import { rowReader } from './row-reader.js';
import { TermStatistics } from './term-statistics.js';

/** A tenant's table of one index. Searches read through a handle of their own, which moves on when new indexes are warm. */
export interface OpenTable {
  writer: Table;
  reader: Table;
  schema: Schema;
  dimension: number;
  /** Of the active points as the last finished write left them. */
  statistics: TermStatistics;
}

/** The table as it stands on disk; undefined where there is none. */
export const openTable = async (connection: Connection, name: string): Promise<OpenTable | undefined> => {
  if (!(await connection.tableNames()).includes(name)) return undefined;
  const [writer, reader] = [await connection.openTable(name), await connection.openTable(name)];
  const dimension = dimensionOf(await writer.schema());
  const statistics = await countTerms(reader);
  return { writer, reader, schema: pointSchema(dimension), dimension, statistics };
};

export const createTable = async (connection: Connection, name: string, dimension: number): Promise<OpenTable> => {
  const schema = pointSchema(dimension);
  const writer = await connection.createEmptyTable(name, schema);
  const reader = await connection.openTable(name);
  return { writer, reader, schema, dimension, statistics: new TermStatistics() };
};

const countTerms = async (table: Table): Promise<TermStatistics> => {
  const statistics = new TermStatistics();
  for await (const batch of table.query().where('active = true').select(['terms'])) {
    const { rows, terms } = rowReader(batch);
    const of = terms('terms');
    for (let row = 0; row < rows; row++) statistics.add(of(row));
  }
  return statistics;
};
