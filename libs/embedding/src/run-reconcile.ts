import type { TenantId } from '@postmaster/contracts';
import { afterCommit, type Finished, type Job } from '@postmaster/durable';
import { sql } from 'kysely';
import type { Encoder } from './encoder.js';
import { projected } from './index-paragraphs.js';
import { lookOver, type LookOverPorts } from './look-over.js';
import { isOf, otherEncoder, retiredIndexes, targetsOf } from './rows/indexes.js';
import { advance, endRun, type IndexRun, noteFault, readRun } from './rows/index-runs.js';
import type { EmbeddingTables } from './rows/tables.js';

export interface ReconcilePorts extends LookOverPorts {
  encoder: Pick<Encoder, 'id' | 'dimension'>;
  pauseMs?: number;
  /** Told of each run that has ended. */
  onRun?: (run: IndexRun) => void;
}

/** Compares a tenant's index with its rows and mends it. Safe to be killed anywhere: the next worker goes on. */
export const runReconcile =
  (ports: ReconcilePorts) =>
  async (tenant: TenantId, [job]: readonly Job[], signal: AbortSignal): Promise<Finished<EmbeddingTables>> => {
    if (!job) return { outcomes: new Map() };
    const { pauseMs = 5_000 } = ports;
    const outcome = await projected(() => reconcile(ports, tenant, job, signal), pauseMs);
    return {
      outcomes: new Map([[job.id, outcome]]),
      store: async (tx) => {
        if (outcome.kind === 'paused') await noteFault(tx, job.key, outcome.why);
        if (outcome.kind !== 'done') return;
        const run = await endRun(tx, job.key, 'done');
        if (!run) return;
        if (!run.dry_run)
          await sql`update indexes set reconciled_at = now() where name = ${run.index_name}`.execute(tx);
        afterCommit(() => ports.onRun?.(run));
      },
    };
  };

const reconcile = async (ports: ReconcilePorts, tenant: TenantId, job: Job, signal: AbortSignal): Promise<void> => {
  const { db, store, encoder } = ports;
  const { run, targets, retired } = await db.asTenant(tenant, async (tx) => ({
    run: await readRun(tx, 'reconcile', job.key),
    targets: await targetsOf(tx, tenant, encoder),
    retired: await retiredIndexes(tx),
  }));
  const [serving] = targets;
  if (!run || run.finished_at || !serving) return;
  if (!isOf(encoder, serving)) throw otherEncoder(serving, encoder);
  const { name: index_name, encoder: made_by, dimension } = serving;
  const begun = await advance(db, tenant, job, { index_name, encoder: made_by, dimension });
  // A writer that was stopped for long may have come back to one after it was dropped. No rebuild runs beside this.
  if (!run.dry_run) for (const index of retired) await store.drop(tenant, index);
  await lookOver(ports)(tenant, serving, job, begun, signal);
};
