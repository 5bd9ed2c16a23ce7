import type { IndexSpec } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import { idCondition } from './point-condition.js';
import { pointTable, withTerms, type WrittenPoint } from './point-rows.js';
import type { OpenTable } from './open-table.js';
import { readPoints } from './read-points.js';
import { patched } from './stored-point.js';

/** What a writer wants of one point: a patch, or that it goes. */
export type PointChange = { patch: PointPatch; index: IndexSpec } | { removed: string };

/**
 * Makes points as the changes want them, in their order, and returns how many rows that touched. Points are read,
 * patched and written back whole, so nothing else may write meanwhile: the write queue is what makes that so.
 */
export const writePoints = async (table: OpenTable, changes: readonly PointChange[]): Promise<number> => {
  const before = await readPoints(table.writer, [...new Set(changes.map(idOf))]);
  const after = new Map<string, Parameters<typeof withTerms>[0] | undefined>(before);
  for (const change of changes)
    after.set(idOf(change), 'patch' in change ? patched(after.get(idOf(change)), change.patch) : undefined);

  const written = [...after.values()].flatMap((point) => (point ? [withTerms(point)] : []));
  const removed = [...before.keys()].filter((id) => !after.get(id));
  if (written.length > 0) await save(table, written, before);
  if (removed.length > 0) await table.writer.delete(idCondition(removed));

  for (const { payload, terms } of before.values()) if (payload.active) table.statistics.remove(terms);
  for (const { payload, terms } of written) if (payload.active) table.statistics.add(terms);
  await table.reader.checkoutLatest();
  return written.length + removed.length;
};

/** Appending is cheaper than merging, and right where none of the ids is there. */
const save = async (
  { writer, schema }: OpenTable,
  points: readonly WrittenPoint[],
  before: ReadonlyMap<string, unknown>,
): Promise<void> => {
  const rows = pointTable(schema, points);
  if (!points.some(({ id }) => before.has(id))) await writer.add(rows);
  else await writer.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
};

const idOf = (change: PointChange): string => ('patch' in change ? change.patch.id : change.removed);
