import { type Failure, newId, type Outcome } from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import { jobsBell, processBell } from './bell.js';
import { afterCommit } from './database.js';
import { failureColumn, ofJobs } from './dead-letters.js';
import type { Job } from './jobs.js';

/**
 * Ends a try in the open transaction. False when the lease's fence no longer holds (it lapsed and another worker
 * has the job): then nothing of this try may be stored.
 */
export const settle = async (tx: QueryExecutorProvider, job: Job, outcome: Outcome): Promise<boolean> => {
  const held = sql`id = ${job.id} and fence = ${job.fence} and state = 'leased'`;
  switch (outcome.kind) {
    case 'done':
    case 'skipped':
      return (await settleDone(tx, [job])).has(job.id);
    case 'hopeless':
      if (!(await changed(tx, sql`delete from jobs where ${held} and not again`))) return runAgain(tx, job);
      await bury(tx, job, outcome.why);
      return true;
    case 'retry':
    case 'later':
    case 'paused': {
      const spent = outcome.kind === 'retry' ? sql`attempts` : sql`attempts - 1`;
      afterCommit(() => processBell.ringIn(jobsBell(job.kind), outcome.afterMs));
      return changed(
        tx,
        sql`update jobs set state = 'ready', leased_until = null, attempts = ${spent}, again = false,
              run_at = now() + ${outcome.afterMs} * interval '1 millisecond' where ${held}`,
      );
    }
  }
};

/**
 * Ends many tries that came out well, in one statement; returns the ids of those whose lease still held. Work that was
 * given up before is so no more.
 */
export const settleDone = async (tx: QueryExecutorProvider, jobs: readonly Job[]): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    with ended as (
      delete from jobs using json_to_recordset(${JSON.stringify(jobs)}::json) as held(id bigint, fence bigint)
      where jobs.id = held.id and jobs.fence = held.fence and state = 'leased' and not again
      returning jobs.id, jobs.kind, jobs.key
    ), mended as (
      delete from dead_letters where ${ofJobs(jobs)} and (name, key) in (select kind, key from ended)
    )
    select id from ended`.execute(tx);
  const ended = new Set(rows.map((row) => row.id));
  for (const job of jobs) if (!ended.has(job.id) && (await runAgain(tx, job))) ended.add(job.id);
  return ended;
};

/** The job was asked for again while it was being done: a fresh one with all its attempts. */
const runAgain = async (tx: QueryExecutorProvider, job: Job): Promise<boolean> => {
  const ready = await changed(
    tx,
    sql`update jobs set state = 'ready', leased_until = null, attempts = 0, again = false, run_at = now()
        where id = ${job.id} and fence = ${job.fence} and state = 'leased' and again`,
  );
  if (ready) afterCommit(() => processBell.ring(jobsBell(job.kind)));
  return ready;
};

const changed = async (tx: QueryExecutorProvider, statement: ReturnType<typeof sql>): Promise<boolean> =>
  Number((await statement.execute(tx)).numAffectedRows ?? 0) > 0;

const bury = async (tx: QueryExecutorProvider, job: Job, why: Failure): Promise<void> => {
  await sql`
    insert into dead_letters (id, tenant, source, name, key, document, version, lane, failure)
    values (${newId()}, ${job.tenant}, 'job', ${job.kind}, ${job.key}, ${job.document}, ${job.version}, ${job.lane},
            ${failureColumn(why, job.attempts)})
    on conflict (tenant, source, name, key) do update set failure = excluded.failure, version = excluded.version,
      at = now()`.execute(tx);
};
