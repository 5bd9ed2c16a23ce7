import { failure, later, type Outcome, type TenantId } from '@postmaster/contracts';
import { afterCommit, type Finished, type Job } from '@postmaster/durable';
import { projected } from './index-paragraphs.js';
import { inParts } from './mend-points.js';
import { lookOver } from './look-over.js';
import {
  beginFilling,
  isOf,
  otherEncoder,
  readTargets,
  retiredIndexes,
  switchOver,
  type Target,
} from './rows/indexes.js';
import { advance, endRun, type IndexRun, noteFault, readRun } from './rows/index-runs.js';
import type { EmbeddingTables } from './rows/tables.js';
import type { ReconcilePorts } from './run-reconcile.js';

export interface RebuildPorts extends ReconcilePorts {
  /** How long an index that was switched away from stays, for the searches that were told of it. Milliseconds. */
  graceMs: number;
}

const SWITCHED = failure('CONFLICT', 'The old index goes once no search can have been told of it any more.');
/** Paragraphs that are encoded together: other work waits behind them. */
const ROWS_A_STEP = 16;

/**
 * Fills a new index from the rows, beside the one that serves; compares it with them; lets it serve; and drops the old
 * one. Live writes go to both from the moment the filling begins. Each phase is noted in the run, so that a worker that
 * is killed leaves at most one step to do again.
 */
export const runRebuild =
  (ports: RebuildPorts) =>
  async (tenant: TenantId, [job]: readonly Job[], signal: AbortSignal): Promise<Finished<EmbeddingTables>> => {
    if (!job) return { outcomes: new Map() };
    let waitMs = 0;
    const ended = await projected(async () => {
      waitMs = await rebuild(ports, tenant, job, signal);
    }, ports.pauseMs ?? 5_000);
    const outcome: Outcome = ended.kind === 'done' && waitMs > 0 ? later(waitMs, SWITCHED) : ended;
    return {
      outcomes: new Map([[job.id, outcome]]),
      store: async (tx) => {
        if (outcome.kind === 'paused') await noteFault(tx, job.key, outcome.why);
        const run = outcome.kind === 'done' ? await endRun(tx, job.key, 'done') : undefined;
        if (run) afterCommit(() => ports.onRun?.(run));
      },
    };
  };

/** Gives how long to wait before it is to be called again; 0 when all is done. */
const rebuild = async (ports: RebuildPorts, tenant: TenantId, job: Job, signal: AbortSignal): Promise<number> => {
  const { db, store, encoder, graceMs } = ports;
  const found = await db.asTenant(tenant, (tx) => readRun(tx, 'rebuild', job.key));
  if (!found || found.finished_at) return 0;
  let run = found;
  const spec = { name: run.index_name ?? '', encoder: run.encoder ?? '', dimension: run.dimension ?? 0 };
  if (!isOf(encoder, spec) && run.phase !== 'dropping') throw otherEncoder(spec, encoder);
  if (run.phase === 'clearing') {
    run = await advance(db, tenant, job, {}); // the lease holds: nobody can be filling it yet
    await store.drop(tenant, spec);
    run = await advance(db, tenant, job, { phase: 'filling', cursor: '' }, (tx) =>
      beginFilling(tx, tenant, spec, run.id),
    );
  }
  if (run.phase === 'filling' || run.phase === 'rows' || run.phase === 'points') {
    const filling = (await db.asTenant(tenant, readTargets)).find(({ role }) => role === 'filling');
    if (!filling) throw new Error('The index that is filled is not noted.');
    run = await fill(ports, tenant, job, run, filling, signal);
    await store.optimize(tenant, filling);
    await lookOver(ports)(tenant, filling, job, run, signal);
    run = await advance(db, tenant, job, {});
    await requireMended(ports, tenant, job, run);
    run = await advance(db, tenant, job, { phase: 'dropping', switched_at: new Date() }, switchOver);
  }
  const left = graceMs - (Date.now() - (run.switched_at?.getTime() ?? 0));
  if (left > 0) return left;
  await advance(db, tenant, job, {});
  for (const old of await db.asTenant(tenant, retiredIndexes)) await store.drop(tenant, old);
  return 0;
};

const fill = async (
  { db, project, yieldTurn, onError }: RebuildPorts,
  tenant: TenantId,
  job: Job,
  from: IndexRun,
  filling: Target,
  signal: AbortSignal,
): Promise<IndexRun> => {
  let run = from;
  while (run.phase === 'filling') {
    const { cursor } = run;
    const rows = await db.asTenant(tenant, (tx) =>
      tx
        .selectFrom('paragraphs')
        .select('id')
        .where('id', '>', cursor)
        .where('erased', '=', false)
        .orderBy('id')
        .limit(ROWS_A_STEP)
        .execute(),
    );
    const ids = rows.map(({ id }) => id);
    await inParts(ids, (some) => project(tenant, some, ['text', 'facets'], filling.mark), onError);
    const ended = ids.length < ROWS_A_STEP;
    run = await advance(db, tenant, job, {
      ...(ended ? { phase: 'rows', cursor: '' } : { cursor: ids.at(-1) }),
      add: { filled: ids.length },
    });
    signal.throwIfAborted();
    await yieldTurn(signal);
  }
  return run;
};

/** An index that lacks anything does not serve: the comparison begins again, as often as the job may be tried. */
const requireMended = async ({ db }: RebuildPorts, tenant: TenantId, job: Job, run: IndexRun): Promise<void> => {
  const { missing, orphaned, stale, mended } = run;
  const left = missing + orphaned + stale - mended;
  if (left === 0) return;
  await advance(db, tenant, job, {
    phase: 'rows',
    cursor: '',
    looked: 0,
    missing: 0,
    orphaned: 0,
    stale: 0,
    mended: 0,
  });
  throw new Error(`${left} points of the new index could not be made as their rows say.`);
};
