import type { TenantId } from '@postmaster/contracts';
import type { Database, Job } from '@postmaster/durable';
import { compareRows, comparePoints, type Difference } from './compare-points.js';
import { mendPoints } from './mend-points.js';
import type { PointStore } from './point-store.js';
import type { Project } from './project.js';
import type { Target } from './rows/indexes.js';
import { advance, type Counts, type IndexRun, type RunChange } from './rows/index-runs.js';
import { readStates } from './rows/row-states.js';
import type { EmbeddingTables } from './rows/tables.js';

export interface LookOverPorts {
  db: Database<EmbeddingTables>;
  store: PointStore;
  project: Project;
  /** Awaited between pages: other work goes first. */
  yieldTurn: (signal: AbortSignal) => Promise<void>;
  onError: (error: unknown, where: string) => void;
}

const ROWS_A_PAGE = 500;

/**
 * Compares an index with the rows, and mends it unless the run is a dry one: first each row with its point, then each
 * point with its row. The run is advanced page by page, so that a worker that is killed leaves at most a page to do again.
 * Gives the ids that could not be mended.
 */
export const lookOver =
  (ports: LookOverPorts) =>
  async (tenant: TenantId, target: Target, job: Job, from: IndexRun, signal: AbortSignal): Promise<Set<string>> => {
    const { db, store } = ports;
    const unmended = new Set<string>();
    let run = from;
    const settle = async (differences: readonly Difference[], change: RunChange, looked: number): Promise<void> => {
      const left =
        run.dry_run || differences.length === 0 ? undefined : await mendPoints(ports)(tenant, target, differences);
      for (const id of left ?? []) unmended.add(id);
      const mended = left ? differences.filter(({ id }) => !left.has(id)).length : 0;
      run = await advance(db, tenant, job, { ...change, add: { looked, mended, ...counted(differences) } });
      signal.throwIfAborted();
      await ports.yieldTurn(signal);
    };
    while (run.phase === 'rows') {
      const { cursor } = run;
      const rows = await db.asTenant(tenant, (tx) => readStates(tx, target, { after: cursor, most: ROWS_A_PAGE }));
      const ended = rows.length < ROWS_A_PAGE;
      const change: RunChange = ended ? { phase: 'points', cursor: '' } : { cursor: rows.at(-1)?.id ?? cursor };
      await settle(await compareRows(ports)(tenant, target, rows), change, rows.length);
    }
    for (let more = run.phase === 'points'; more;) {
      const { revisions, next } = await store.page(tenant, target, run.cursor || undefined);
      const orphans = await comparePoints(ports)(tenant, target, [...revisions.keys()]);
      await settle(orphans, { cursor: next ?? run.cursor }, 0);
      more = next !== undefined;
    }
    return unmended;
  };

const counted = (differences: readonly Difference[]): Pick<Counts, 'missing' | 'orphaned' | 'stale'> => {
  const of = (kind: Difference['kind']): number => differences.filter((one) => one.kind === kind).length;
  return { missing: of('missing'), orphaned: of('orphaned'), stale: of('stale') };
};
