import { CodedError, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { compareRows, comparePoints, type Difference } from './compare-points.js';
import type { PointStore } from './point-store.js';
import type { Project } from './project.js';
import type { Target } from './rows/indexes.js';
import { forgetWritten, readStates } from './rows/row-states.js';
import type { EmbeddingTables } from './rows/tables.js';

interface MendPorts {
  db: Database<EmbeddingTables>;
  store: PointStore;
  project: Project;
  onError: (error: unknown, where: string) => void;
}

const AT_ONCE = 32;

/**
 * Makes points as their rows say, and gives the ids of those that it could not. What was missing, or was written from
 * another state of its row, is encoded again: nothing tells which of its vectors are right. Rows that moved since are
 * left to whoever moved them. Safe to run again.
 */
export const mendPoints =
  ({ db, store, project, onError }: MendPorts) =>
  async (tenant: TenantId, target: Target, differences: readonly Difference[]): Promise<Set<string>> => {
    const doubted = differences.flatMap(({ row, kind }) => (row && kind !== 'orphaned' ? [row] : []));
    const made = await db.asTenant(tenant, (tx) => forgetWritten(tx, target, doubted));
    const removed = differences.filter(({ kind }) => kind === 'orphaned').map(({ id }) => id);
    const broken = await inParts(made, (ids) => project(tenant, ids, ['text', 'facets'], target.mark), onError);
    for (const id of await inParts(removed, (ids) => project(tenant, ids, []), onError)) broken.add(id);
    const left = await stillDifferent({ db, store }, tenant, target, differences);
    return new Set([...broken, ...left]);
  };

const stillDifferent = async (
  ports: Pick<MendPorts, 'db' | 'store'>,
  tenant: TenantId,
  target: Target,
  differences: readonly Difference[],
): Promise<string[]> => {
  const ids = differences.map(({ id }) => id);
  const rows = await ports.db.asTenant(tenant, (tx) => readStates(tx, target, { ids }));
  const left = [
    ...(await compareRows(ports)(tenant, target, rows)),
    ...(await comparePoints(ports)(tenant, target, ids)),
  ];
  return left.map(({ id }) => id);
};

/**
 * Acts on some at a time; what throws for no known reason is tried one by one, and told. What the operator has to mend
 * is thrown on. Gives the ids that it could not act on.
 */
export const inParts = async (
  ids: readonly string[],
  act: (ids: readonly string[]) => Promise<unknown>,
  onError: (error: unknown, where: string) => void,
): Promise<Set<string>> => {
  const failed = new Set<string>();
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE);
    try {
      await act(some);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      for (const id of some) await act([id]).catch((reason: unknown) => refuse(failed, id, reason, onError));
    }
  }
  return failed;
};

const refuse = (failed: Set<string>, id: string, reason: unknown, onError: MendPorts['onError']): void => {
  if (reason instanceof CodedError) throw reason;
  failed.add(id);
  onError(reason, 'embedding.mend');
};
