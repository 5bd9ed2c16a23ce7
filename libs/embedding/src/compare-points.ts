import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { PointStore } from './point-store.js';
import type { Target } from './rows/indexes.js';
import { readStates, type RowState } from './rows/row-states.js';
import type { EmbeddingTables } from './rows/tables.js';

/** missing: the row's point is not there; orphaned: there is a point without a row; stale: it is of another state of its row. */
export type DifferenceKind = 'missing' | 'orphaned' | 'stale';

/** A point that is not as its row says. */
export interface Difference {
  id: string;
  kind: DifferenceKind;
  /** The row as it was; undefined where there is none. */
  row: RowState | undefined;
}

interface ComparePorts {
  db: Database<EmbeddingTables>;
  store: PointStore;
}

/**
 * Which of these rows have points that differ. What a job is going to see to does not, and neither does what moved while
 * it was looked at: a row is read before its point and again after.
 */
export const compareRows =
  ({ db, store }: ComparePorts) =>
  async (tenant: TenantId, target: Target, rows: readonly RowState[]): Promise<Difference[]> => {
    const stored = await store.revisions(
      tenant,
      target,
      rows.map(({ id }) => id),
    );
    const found = rows.flatMap((row) => differenceOf(row, stored.get(row.id)));
    if (found.length === 0) return [];
    const again = await statesOf(db, tenant, target, found);
    return found.filter(({ id, kind, row }) => {
      const now = again.get(id);
      const still = now && differenceOf(now, stored.get(id))[0]?.kind === kind;
      return still && now.revision === row?.revision && now.at === row.at;
    });
  };

/** Which of these points have no row: those that are still there after their rows were not found, and still without one. */
export const comparePoints =
  ({ db, store }: ComparePorts) =>
  async (tenant: TenantId, target: Target, ids: readonly string[]): Promise<Difference[]> => {
    const without = await withoutRow(db, tenant, ids);
    if (without.length === 0) return [];
    const stored = await store.revisions(tenant, target, without);
    const left = await withoutRow(db, tenant, [...stored.keys()]);
    return left.map((id) => ({ id, kind: 'orphaned', row: undefined }));
  };

/** Pure: at most one difference of a row and the revision that its point was written from, if there is one. */
export const differenceOf = (row: RowState, stored: number | undefined): Difference[] => {
  const kind = kindOf(row, stored);
  return kind ? [{ id: row.id, kind, row }] : [];
};

const kindOf = (row: RowState, stored: number | undefined): DifferenceKind | undefined => {
  if (row.waits) return undefined;
  if (row.erased) return stored === undefined ? undefined : 'orphaned';
  if (stored === undefined) return row.begun || !row.givenUp ? 'missing' : undefined;
  if (row.givenUp) return undefined;
  return stored === Number(row.revision) && row.whole ? undefined : 'stale';
};

const IDS_A_QUERY = 1_000;

const withoutRow = async (
  db: Database<EmbeddingTables>,
  tenant: TenantId,
  ids: readonly string[],
): Promise<string[]> => {
  const without: string[] = [];
  for (let i = 0; i < ids.length; i += IDS_A_QUERY) {
    const some = ids.slice(i, i + IDS_A_QUERY);
    const rows = await db.asTenant(tenant, (tx) =>
      tx.selectFrom('paragraphs').select('id').where('id', 'in', some).execute(),
    );
    const known = new Set(rows.map(({ id }) => id));
    without.push(...some.filter((id) => !known.has(id)));
  }
  return without;
};

const statesOf = async (
  db: Database<EmbeddingTables>,
  tenant: TenantId,
  target: Target,
  of: readonly { id: string }[],
): Promise<Map<string, RowState>> => {
  if (of.length === 0) return new Map();
  const ids = of.map(({ id }) => id);
  const rows = await db.asTenant(tenant, (tx) => readStates(tx, target, { ids }));
  return new Map(rows.map((row) => [row.id, row]));
};
