import { setImmediate as turn } from 'node:timers/promises';
import type { RecordBatch } from 'apache-arrow';
import { arrow } from './arrow.js';
import type { OpenTable } from './open-table.js';
import { idCondition } from './point-condition.js';
import { pointBatch } from './point-rows.js';
import { portions } from './read-points.js';

const ROWS_A_TURN = 32; // some milliseconds of the event loop to make
const ROWS_AN_ADD = 256; // some milliseconds of it to hand over
const IDS_A_DELETE = 1000;

/**
 * Brings the fresh points into the table in LanceDB: their rows go, and those of the points that are left are added,
 * for about half of what a merge costs. Between the two, and until searches turn to the new version, all of these points
 * are in the journal. Doing it once more changes nothing.
 */
export const takeInFresh = async ({
  writer,
  schema,
  fresh,
  journal,
}: Pick<OpenTable, 'writer' | 'schema' | 'fresh' | 'journal'>): Promise<void> => {
  if (fresh.size === 0) return;
  await journal.sync();
  for (const ids of portions(fresh.ids(), IDS_A_DELETE)) await writer.delete(idCondition(ids));
  for (const points of portions(fresh.present(), ROWS_AN_ADD)) {
    const batches: RecordBatch[] = [];
    for (const some of portions(points, ROWS_A_TURN)) {
      batches.push(pointBatch(schema, some));
      await turn();
    }
    await writer.add(new arrow.Table(schema, batches));
  }
};
