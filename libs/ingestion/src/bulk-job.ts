import { CodedError, done, type Failure, failureOf, type NewId, type TenantId } from '@postmaster/contracts';
import { type Database, enqueue, type Finished, type Job } from '@postmaster/durable';
import { type Selectable, sql } from 'kysely';
import { conditions, type DocumentFilter } from './rows/document-pages.js';
import type { BulkJobRow, IngestionTables } from './rows/tables.js';

export const BULK = 'ingestion.bulk';

export interface BulkJob {
  id: string;
  kind: 'DELETE' | 'RETRY' | 'ENRICH';
  status: 'RUNNING' | 'DONE';
  total: number;
  done: number;
  failed: number;
  failures: { document: string; failure: Failure }[];
  startedAt: Date;
  finishedAt: Date | null;
}

interface BulkPorts {
  db: Database<IngestionTables>;
  now: () => Date;
  newId: NewId;
  /** What each kind does to one document; false: it was not there any more. */
  acts: Record<BulkJob['kind'], (tenant: TenantId, document: string, job: string) => Promise<boolean>>;
}

const bulkJobOf = (row: Selectable<BulkJobRow>): BulkJob => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  total: row.total,
  done: row.done,
  failed: row.failed,
  failures: row.failures,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

/** Begins an operation over all documents that fit a filter. An empty filter is refused: it would mean all. */
export const beginBulkJob =
  ({ db, now, newId }: BulkPorts) =>
  (tenant: TenantId, kind: BulkJob['kind'], filter: DocumentFilter): Promise<BulkJob> => {
    if (Object.values(filter).every((value) => value === undefined || value === null))
      throw new CodedError('FILTER_INVALID', 'An empty filter would mean every document.', {
        field: 'filter',
        next: 'Give at least one condition; `status` with every state means all on purpose.',
      });
    return db.asTenant(tenant, async (tx) => {
      const { count } = await tx
        .selectFrom('documents')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where((eb) => eb.and(conditions(eb, filter)))
        .executeTakeFirstOrThrow();
      const id = newId();
      const total = Number(count);
      const row = await tx
        .insertInto('bulk_jobs')
        .values({
          tenant,
          id,
          kind,
          status: total === 0 ? 'DONE' : 'RUNNING',
          filter: JSON.stringify(filter),
          cursor: '00000000-0000-0000-0000-000000000000',
          total,
          done: 0,
          failed: 0,
          failures: '[]',
          started_at: now(),
          finished_at: total === 0 ? now() : null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (total > 0)
        await enqueue(tx, tenant, [{ kind: BULK, key: id, document: id, version: 1, lane: 'interactive' }]);
      return bulkJobOf(row);
    });
  };

export const readBulkJob =
  ({ db }: { db: Database<IngestionTables> }) =>
  (tenant: TenantId, id: string): Promise<BulkJob | null> =>
    db.asTenant(tenant, async (tx) => {
      const row = await tx
        .selectFrom('bulk_jobs')
        .selectAll()
        .where(sql`id::text`, '=', id)
        .executeTakeFirst();
      return row ? bulkJobOf(row) : null;
    });

const KEPT_DAYS = 30;

/** Takes away jobs that ended long ago: they name documents and what was asked for. */
export const sweepBulkJobs = ({ db }: { db: Database<IngestionTables> }): Promise<unknown> =>
  db.asSystem((tx) =>
    sql`delete from bulk_jobs where finished_at < now() - ${KEPT_DAYS} * interval '1 day'`.execute(tx),
  );

const STEP = 100;

/** Does the next documents of a bulk job and asks to be called again until none is left. Safe to be killed anywhere. */
export const runBulkJob =
  ({ db, now, acts }: BulkPorts) =>
  async (tenant: TenantId, [job]: readonly Job[]): Promise<Finished<IngestionTables>> => {
    if (!job) return { outcomes: new Map() };
    const next = await db.asTenant(tenant, async (tx) => {
      const row = await tx.selectFrom('bulk_jobs').selectAll().where('id', '=', job.key).executeTakeFirst();
      if (!row || row.status === 'DONE') return null;
      const documents = await tx
        .selectFrom('documents')
        .select('id')
        .where((eb) => eb.and(conditions(eb, row.filter as DocumentFilter))) // written by beginBulkJob from the same type
        .where('id', '>', row.cursor)
        .where('added_at', '<=', row.started_at)
        .orderBy('id')
        .limit(STEP)
        .execute();
      return { row, documents };
    });
    if (!next) return { outcomes: new Map([[job.id, done()]]) };
    const failures: { document: string; failure: Failure }[] = [];
    for (const { id } of next.documents)
      try {
        await acts[next.row.kind](tenant, id, next.row.id);
      } catch (error) {
        failures.push({ document: id, failure: failureOf(error) });
      }
    const last = next.documents.at(-1)?.id;
    const ended = next.documents.length < STEP;
    return {
      outcomes: new Map([[job.id, done()]]),
      store: async (tx) => {
        await tx
          .updateTable('bulk_jobs')
          .set({
            cursor: last ?? next.row.cursor,
            // What went away meanwhile, or was done before a cut, needs no doing any more.
            done: ended
              ? sql`total - failed - ${failures.length}`
              : sql`done + ${next.documents.length - failures.length}`,
            failed: sql`failed + ${failures.length}`,
            failures: JSON.stringify([...next.row.failures, ...failures].slice(0, 100)),
            ...(ended && { status: 'DONE' as const, finished_at: now() }),
          })
          .where('id', '=', job.key)
          .execute();
        if (!ended) await enqueue(tx, tenant, [{ ...job }]);
      },
    };
  };
