import type { Lane, TenantId } from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import { jobsBell, processBell } from './bell.js';
import { afterCommit, type Database } from './database.js';
import { ofJobs } from './dead-letters.js';
import { traceparentNow } from './trace-context.js';

export interface NewJob {
  kind: string;
  /** Names the work within tenant and kind: asked for twice, done once. */
  key: string;
  document: string;
  version: number;
  lane: Lane;
  /** Earliest start; now where absent. */
  afterMs?: number;
}

export interface Job {
  id: string;
  tenant: TenantId;
  kind: string;
  key: string;
  document: string;
  version: number;
  lane: Lane;
  /** This try included. */
  attempts: number;
  /** Grows with every claim; a settlement under an older one is refused. */
  fence: string;
  /** W3C traceparent of what asked for it last, where that was traced. */
  trace: string | null;
}

/**
 * Asks for work. A job that waits already takes over the newer version and the more urgent lane; one that is being
 * done is done once more afterwards, so that what came in meanwhile is not lost. It belongs to the newest cause's trace.
 * Work that was given up is no dead letter from here on.
 */
export const enqueue = async (tx: QueryExecutorProvider, tenant: TenantId, jobs: readonly NewJob[]): Promise<void> => {
  if (jobs.length === 0) return;
  const rows = jobs.map(({ afterMs = 0, ...job }) => ({
    ...job,
    after_ms: afterMs,
    trace: traceparentNow(job.document),
  }));
  await sql`
    with asked as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as j(kind text, key text, document text, version int, lane text, after_ms float, trace text)
    ), revived as (
      delete from dead_letters where ${ofJobs(jobs.map((job) => ({ ...job, tenant })))}
    )
    insert into jobs (tenant, kind, key, document, version, lane, run_at, trace)
    select ${tenant}, j.kind, j.key, j.document, j.version, j.lane, now() + j.after_ms * interval '1 millisecond', j.trace
    from asked j
    on conflict (tenant, kind, key) do update set
      version = greatest(jobs.version, excluded.version),
      lane = case when 'interactive' in (jobs.lane, excluded.lane) then 'interactive' else 'bulk' end,
      again = jobs.state = 'leased',
      trace = coalesce(excluded.trace, jobs.trace),
      run_at = least(jobs.run_at, excluded.run_at)`.execute(tx);
  const due = new Map(jobs.map(({ kind, afterMs = 0 }) => [`${kind} ${afterMs}`, { kind, afterMs }]));
  afterCommit(() => {
    for (const { kind, afterMs } of due.values())
      if (afterMs > 0) processBell.ringIn(jobsBell(kind), afterMs);
      else processBell.ring(jobsBell(kind));
  });
};

export interface Claim {
  kind: string;
  limit: number;
  leaseMs: number;
  /** Bulk work that has waited this long counts as interactive. */
  ageingMs: number;
  /** Tenants served lately by this worker, longest ago first: they come after those not in the list. */
  served: readonly string[];
}

/**
 * Leases up to `limit` due jobs: urgent before bulk, one of each tenant before a second of any, the tenant served
 * longest ago first. Looks at no more than `limit` jobs per tenant and lane, however many wait.
 */
export const claim = async (
  db: Database<unknown>,
  { kind, limit, leaseMs, ageingMs, served }: Claim,
): Promise<Job[]> => {
  const { rows } = await db.oneAsSystem(sql<Job>`
      with recursive waiting(lane, tenant) as (
        select l.lane, (select min(tenant) from jobs where kind = ${kind} and state = 'ready' and lane = l.lane)
        from (values ('interactive'), ('bulk')) as l(lane)
        union all
        select w.lane, (select min(tenant) from jobs
                        where kind = ${kind} and state = 'ready' and lane = w.lane and tenant > w.tenant)
        from waiting w where w.tenant is not null
      ), due as (
        select j.id, w.tenant, j.run_at,
               case when w.lane = 'interactive' or j.created_at < now() - ${ageingMs} * interval '1 millisecond'
                    then 0 else 1 end as urgency
        from waiting w cross join lateral (
          select id, run_at, created_at from jobs
          where kind = ${kind} and state = 'ready' and lane = w.lane and tenant = w.tenant and run_at <= now()
          order by run_at, id limit ${limit}
        ) j
        where w.tenant is not null
      ), turns as (
        select id, tenant, urgency,
               row_number() over (partition by tenant order by urgency, run_at, id) as turn
        from due
      ), chosen as (
        select id from jobs where state = 'ready' and id in (
          select id from turns
          order by urgency, turn, coalesce(array_position(${served}::text[], tenant), 0), id limit ${limit}
        ) for update skip locked
      )
      update jobs set state = 'leased', fence = fence + 1, attempts = attempts + 1, again = false,
        leased_until = now() + ${leaseMs} * interval '1 millisecond'
      where id in (select id from chosen)
      returning id, tenant, kind, key, document, version, lane, attempts, fence, trace`);
  return rows;
};

/** Makes jobs whose lease has lapsed claimable again (all of them with `all`: when no other worker can be alive). */
export const releaseLapsed = async (db: Database<unknown>, kind: string, all = false): Promise<number> => {
  const { numAffectedRows } = await db.oneAsSystem(
    sql`update jobs set state = 'ready', leased_until = null
        where kind = ${kind} and state = 'leased' and (${all} or leased_until < now())`,
  );
  return Number(numAffectedRows ?? 0);
};

export const renewLeases = async (db: Database<unknown>, jobs: readonly Job[], leaseMs: number): Promise<void> => {
  if (jobs.length === 0) return;
  await db.oneAsSystem(
    sql`update jobs set leased_until = now() + ${leaseMs} * interval '1 millisecond'
        from json_to_recordset(${JSON.stringify(jobs)}::json) as held(id bigint, fence bigint)
        where jobs.id = held.id and jobs.fence = held.fence and state = 'leased'`,
  );
};
