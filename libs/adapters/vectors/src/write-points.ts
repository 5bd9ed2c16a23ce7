import { type IndexSpec, NAMED_VECTORS } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import type { PointState } from './fresh-points.js';
import type { OpenTable } from './open-table.js';
import { readPoints } from './read-points.js';
import { counted, type CountedPoint, isCounted, patched, type StoredPoint } from './stored-point.js';

/** What a writer wants of one point: a patch, or that it goes. */
export type PointChange = { patch: PointPatch; index: IndexSpec } | { removed: string };

/**
 * Makes points as the changes want them, in their order: in the journal, and then in memory in one step with the
 * statistics. Points are read, patched and written back whole, so nothing else may write meanwhile: the write queue is
 * what makes that so.
 */
export const writePoints = async (table: OpenTable, changes: readonly PointChange[]): Promise<void> => {
  const before = await pointsBefore(table, changes);
  const after = new Map<string, StoredPoint | undefined>(before);
  for (const change of changes)
    after.set(idOf(change), 'patch' in change ? patched(after.get(idOf(change)), change.patch) : undefined);

  const states = [...after].flatMap(([id, point]): PointState[] =>
    point ? [{ id, after: counted(point) }] : before.has(id) ? [{ id, after: undefined }] : [],
  );
  if (states.length === 0) return;
  await table.journal.append(states);
  for (const { payload, terms } of before.values()) if (isCounted(payload)) table.statistics.remove(terms);
  for (const { after } of states) if (after && isCounted(after.payload)) table.statistics.add(after.terms);
  for (const state of states) table.fresh.set(state);
};

/** The points of these changes that are there, with their vectors where a change leaves some as they are. */
const pointsBefore = async (
  { reader, fresh }: OpenTable,
  changes: readonly PointChange[],
): Promise<Map<string, CountedPoint>> => {
  const firsts = new Map(changes.toReversed().map((change) => [idOf(change), change]));
  const stale = [...firsts.keys()].filter((id) => !fresh.has(id));
  const vectors = stale.some((id) => keepsVectors(firsts.get(id)));
  const found: Map<string, CountedPoint> = stale.length > 0 ? await readPoints(reader, stale, { vectors }) : new Map();
  for (const id of firsts.keys()) {
    const point = fresh.get(id);
    if (point) found.set(id, point);
  }
  return found;
};

const keepsVectors = (change: PointChange | undefined): boolean =>
  change !== undefined && 'patch' in change && NAMED_VECTORS.some((name) => change.patch.vectors?.[name] === undefined);

const idOf = (change: PointChange): string => ('patch' in change ? change.patch.id : change.removed);
