import { CodedError, type Failure, type TenantId } from '@postmaster/contracts';
import type { Database, Job } from '@postmaster/durable';
import { type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { EmbeddingTables, IndexRunRow } from './tables.js';

type Tx = Transaction<EmbeddingTables>;

/** Compares an index with the rows, and mends it. */
export const RECONCILE = 'embedding.reconcile';
/** Fills a new index and switches to it. */
export const REBUILD = 'embedding.rebuild';

export type IndexRun = Selectable<IndexRunRow>;
export type RunKind = IndexRun['kind'];

/** A run; the newest of its kind where no id is given. */
export const readRun = (tx: Tx, kind: RunKind, id?: string): Promise<IndexRun | undefined> => {
  const runs = tx.selectFrom('index_runs').selectAll().where('kind', '=', kind);
  return id === undefined
    ? runs.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
    : runs.where(sql`id::text`, '=', id).executeTakeFirst();
};

export const readRunning = (tx: Tx): Promise<IndexRun | undefined> =>
  tx.selectFrom('index_runs').selectAll().where('finished_at', 'is', null).executeTakeFirst();

/** What a run counts. */
export type Counts = Pick<IndexRun, 'filled' | 'looked' | 'missing' | 'orphaned' | 'stale' | 'mended'>;

export interface RunChange extends Partial<
  Pick<IndexRun, 'phase' | 'cursor' | 'index_name' | 'encoder' | 'dimension' | 'switched_at'> & Counts
> {
  add?: Partial<Counts>;
}

/**
 * Notes how far a run is, and does `also` with it, if the job's lease still holds and the run goes on. Throws CONFLICT
 * where another worker has it by now: then nothing more may be done.
 */
export const advance = (
  db: Database<EmbeddingTables>,
  tenant: TenantId,
  job: Job,
  { add = {}, ...change }: RunChange,
  also?: (tx: Tx) => Promise<unknown>,
): Promise<IndexRun> =>
  db.asTenant(tenant, async (tx) => {
    const { rows } = await sql`
      select 1 from jobs where id = ${job.id} and fence = ${job.fence} and state = 'leased' for share`.execute(tx);
    const run = rows.length === 0 ? undefined : await updateRun(tx, job.key, change, add);
    if (!run) throw new CodedError('CONFLICT', 'Another worker has this run by now, or it was ended.');
    await also?.(tx);
    return run;
  });

/** Why it waited is told until it gets further: another try alone is no news to whoever follows it. */
const updateRun = (tx: Tx, id: string, change: Updateable<IndexRunRow>, add: Partial<Counts>) =>
  tx
    .updateTable('index_runs')
    .set({ ...change, fault: (change.phase ?? change.cursor) === undefined ? sql<string | null>`fault` : null })
    .set((eb) =>
      Object.fromEntries(Object.entries(add).map(([name, by]) => [name, eb(eb.ref(name as keyof Counts), '+', by)])),
    )
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/** Says why a run waits, for whoever follows it. */
export const noteFault = async (tx: Tx, id: string, why: Failure): Promise<void> => {
  await tx
    .updateTable('index_runs')
    .set({ fault: JSON.stringify(why) })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
};

/** Ends a run; undefined where it had ended. */
export const endRun = (tx: Tx, id: string, phase: 'done' | 'failed', why?: Failure): Promise<IndexRun | undefined> =>
  tx
    .updateTable('index_runs')
    .set({ phase, finished_at: sql<Date>`now()`, fault: why ? JSON.stringify(why) : null })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
