import type { Connection, Table } from '@lancedb/lancedb';
import { TERMS_VERSION } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { TERMS_MARK, termsTable } from './point-rows.js';
import { payloadOf } from './read-points.js';
import { rowReader } from './row-reader.js';
import { dropWordIndex } from './table-indexes.js';
import { takeInFresh } from './take-in-fresh.js';

/** Whether the terms of a table and its journal are of another version than what is written now. */
export const hasOtherTerms = async (table: Table): Promise<boolean> => {
  const terms = (await table.schema()).fields.find(({ name }) => name === 'terms');
  return terms?.metadata.get(TERMS_MARK) !== String(TERMS_VERSION);
};

/**
 * Makes the terms of every row anew from its payload, and takes in the fresh points, whose terms have to be of this
 * version, so that none is left in the journal. The table is marked when all is done: where the process is killed
 * before, all is done again when the table is next opened. The index of words is left to the next compaction.
 */
export const remakeTerms = async (
  connection: Connection,
  table: Pick<OpenTable, 'writer' | 'schema' | 'journal' | 'fresh'>,
): Promise<void> => {
  const { writer, schema, journal } = table;
  await dropWordIndex(writer);
  const before = await connection.openTable(writer.name); // stays at this version while the writer goes on
  for await (const batch of before.query().select(['id', 'payload'])) {
    const { rows, strings } = rowReader(batch);
    const [id, payload] = [strings('id'), strings('payload')];
    const points = Array.from({ length: rows }, (_, row) => ({ id: id(row), payload: payloadOf(payload(row)) }));
    await writer.mergeInsert('id').whenMatchedUpdateAll().execute(termsTable(schema, points));
  }
  before.close();
  await takeInFresh(table);
  await journal.clear();
  await writer.updateFieldMetadata([{ path: 'terms', metadata: { [TERMS_MARK]: String(TERMS_VERSION) } }]);
};
