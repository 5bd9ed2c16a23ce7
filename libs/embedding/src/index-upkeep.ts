import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, type TenantId } from '@postmaster/contracts';
import { afterCommit, type Database, every, runWorker, type Worker, type WorkerOptions } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import { beginReconcile, beginRebuild } from './begin-run.js';
import type { Encoder } from './encoder.js';
import type { PointStore } from './point-store.js';
import type { Project } from './project.js';
import { stopFilling } from './rows/indexes.js';
import { endRun, type IndexRun, readRun, REBUILD, RECONCILE, type RunKind } from './rows/index-runs.js';
import type { EmbeddingTables } from './rows/tables.js';
import { runRebuild } from './run-rebuild.js';
import { runReconcile } from './run-reconcile.js';

export interface UpkeepPorts {
  db: Database<EmbeddingTables>;
  encoder: Encoder;
  store: PointStore;
  project: Project;
  pauseMs?: number;
  /** How often each tenant's index is compared with its rows; 24 h. 0: only when it is asked for. */
  reconcileEveryMs?: number;
  /** How long an index that was switched away from is kept; 30 s. */
  graceMs?: number;
  leaseMs?: number;
  /** Told of each comparison and rebuild that has ended. */
  onRun?: (run: IndexRun) => void;
  onError: (error: unknown, where: string) => void;
}

/** What is asked for the upkeep of a tenant's index. */
export interface IndexUpkeep {
  reconcile(tenant: TenantId, dryRun: boolean): Promise<IndexRun>;
  rebuild(tenant: TenantId): Promise<IndexRun>;
  /** The newest where no id is given. */
  run(tenant: TenantId, kind: RunKind, id?: string): Promise<IndexRun | null>;
}

const DAY_MS = 86_400_000;
const MOST_BETWEEN_LOOKS_MS = 3_600_000;
/** However much is being indexed, upkeep gets a turn this often. */
const TURN_MS = 2_000;

export const indexUpkeep = ({ db, encoder }: Pick<UpkeepPorts, 'db' | 'encoder'>): IndexUpkeep => ({
  reconcile: beginReconcile({ db, encoder }),
  rebuild: beginRebuild({ db, encoder }),
  run: async (tenant, kind, id) => (await db.asTenant(tenant, (tx) => readRun(tx, kind, id))) ?? null,
});

/** Works on what was asked for, and asks for the comparisons that are due. `busy`: there is work that goes first. */
export const startUpkeep = (
  ports: UpkeepPorts,
  common: Pick<WorkerOptions<EmbeddingTables>, 'db' | 'onSettled' | 'onError'>,
  busy: () => boolean,
): { workers: Worker[]; stop: () => Promise<void> } => {
  const { db, encoder, onError, reconcileEveryMs = DAY_MS, graceMs = 30_000 } = ports;
  const yieldTurn = async (signal: AbortSignal): Promise<void> => {
    for (const end = Date.now() + TURN_MS; busy() && Date.now() < end && !signal.aborted;) await sleep(50);
  };
  const given = { ...ports, yieldTurn, graceMs };
  const worker = (kind: string, work: WorkerOptions<EmbeddingTables>['work']): Worker =>
    runWorker({ ...common, kind, slots: 1, batch: 1, leaseMs: ports.leaseMs, work, storeThrown: giveUp(ports) });
  const workers = [worker(RECONCILE, runReconcile(given)), worker(REBUILD, runRebuild(given))];
  if (reconcileEveryMs === 0) return { workers, stop: async () => {} };
  const stop = every(
    Math.min(reconcileEveryMs, MOST_BETWEEN_LOOKS_MS),
    () => askForDue(db, encoder, reconcileEveryMs),
    (error) => onError(error, 'embedding.reconcile'),
  );
  return { workers, stop };
};

/** What kept failing for no known reason ends, and with it the filling of its index: writers write to one again. */
const giveUp =
  ({ onRun }: UpkeepPorts): NonNullable<WorkerOptions<EmbeddingTables>['storeThrown']> =>
  async (tx: Transaction<EmbeddingTables>, _tenant, held) => {
    for (const { job, outcome } of held) {
      if (outcome.kind !== 'hopeless') continue;
      const run = await endRun(tx, job.key, 'failed', outcome.why);
      if (run?.kind === 'rebuild') await stopFilling(tx);
      if (run) afterCommit(() => onRun?.(run));
    }
  };

/** Any number of replicas may ask: a tenant has one run at a time. */
const askForDue = async (db: Database<EmbeddingTables>, encoder: Encoder, everyMs: number): Promise<void> => {
  const { rows } = await db.asSystem((tx) =>
    sql<{ tenant: TenantId }>`
      select tenant from indexes
      where role = 'serving' and reconciled_at < now() - ${everyMs} * interval '1 millisecond'`.execute(tx),
  );
  for (const { tenant } of rows)
    await beginReconcile({ db, encoder })(tenant, false).catch((error: unknown) => {
      if (!(error instanceof CodedError && error.code === 'CONFLICT')) throw error;
    });
};
