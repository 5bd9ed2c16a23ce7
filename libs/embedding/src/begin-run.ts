import { CodedError, failure, type NewId, newId as makeId, type TenantId } from '@postmaster/contracts';
import { type Database, enqueue } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import type { Encoder } from './encoder.js';
import { indexOf, isOf, nextIndexOf, readTargets, stopFilling } from './rows/indexes.js';
import { endRun, type IndexRun, readRunning, REBUILD, RECONCILE, type RunKind } from './rows/index-runs.js';
import type { EmbeddingTables, IndexRunRow } from './rows/tables.js';

interface BeginPorts {
  db: Database<EmbeddingTables>;
  encoder: Pick<Encoder, 'id' | 'dimension'>;
  newId?: NewId;
}

/** Begins to compare a tenant's index with its rows; asked again meanwhile, it gives the run that goes on. */
export const beginReconcile =
  ({ db, newId = makeId }: BeginPorts) =>
  (tenant: TenantId, dryRun: boolean): Promise<IndexRun> =>
    db.asTenant(tenant, async (tx) => {
      const running = await readRunning(tx);
      if (running?.kind === 'reconcile' && running.dry_run === dryRun) return running;
      if (running) throw busy(running);
      return begin(tx, tenant, { id: newId(), kind: 'reconcile', phase: 'rows', dry_run: dryRun });
    });

/**
 * Begins to fill a new index beside the one that serves; asked again meanwhile, it gives the run that goes on, unless
 * that was begun for another encoder than the one that runs now: then that one ends and this takes its place.
 */
export const beginRebuild =
  ({ db, encoder, newId = makeId }: BeginPorts) =>
  (tenant: TenantId): Promise<IndexRun> =>
    db.asTenant(tenant, async (tx) => {
      const running = await readRunning(tx);
      if (running?.kind === 'reconcile') throw busy(running);
      if (running) {
        const sameEncoder = isOf(encoder, { encoder: running.encoder ?? '', dimension: running.dimension ?? 0 });
        if (sameEncoder || running.phase === 'dropping') return running;
        await stopFilling(tx);
        await endRun(tx, running.id, 'failed', failure('CONFLICT', `The encoder is "${encoder.id}" now.`));
      }
      const [serving] = await readTargets(tx);
      if (!serving)
        throw new CodedError('NOT_FOUND', 'This tenant has no index yet.', { next: 'Take documents in first.' });
      const { name: index_name, ...made } = isOf(encoder, serving)
        ? nextIndexOf(encoder, serving.name)
        : indexOf(encoder);
      return begin(tx, tenant, {
        id: newId(),
        kind: 'rebuild',
        phase: 'clearing',
        dry_run: false,
        index_name,
        ...made,
      });
    });

const begin = async (
  tx: Transaction<EmbeddingTables>,
  tenant: TenantId,
  given: Pick<IndexRunRow, 'id' | 'kind' | 'phase' | 'dry_run'> &
    Partial<Pick<IndexRunRow, 'index_name' | 'encoder' | 'dimension'>>,
): Promise<IndexRun> => {
  const { count } = await tx
    .selectFrom('paragraphs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('erased', '=', false)
    .executeTakeFirstOrThrow();
  const run = await tx
    .insertInto('index_runs')
    .values({ tenant, total: Number(count), ...given })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!run) throw busy(undefined); // another request was quicker
  const kind = given.kind === 'rebuild' ? REBUILD : RECONCILE;
  await enqueue(tx, tenant, [{ kind, key: run.id, document: run.id, version: 1, lane: 'bulk' }]);
  return run;
};

const WORDS: Record<RunKind, string> = { reconcile: 'comparison', rebuild: 'rebuild' };

const busy = (running: IndexRun | undefined): CodedError =>
  new CodedError('CONFLICT', `A ${running ? WORDS[running.kind] : 'run'} of this tenant's index is going on.`, {
    next: 'Wait until it has ended, then ask again.',
  });
