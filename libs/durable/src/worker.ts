import { done, type Failure, failureOf, hopeless, type Outcome, retry, type TenantId } from '@postmaster/contracts';
import type { Transaction } from 'kysely';
import { jobsBell, processBell } from './bell.js';
import type { Database } from './database.js';
import { inJobSpan } from './job-span.js';
import { claim, type Job, renewLeases } from './jobs.js';
import { lookForJobs } from './look-for-jobs.js';
import { settle, settleDone } from './settle.js';
import { isUnreachable } from './unreachable.js';

interface Ended {
  job: Job;
  outcome: Outcome;
}

/** What a worker made of its jobs, all of one tenant. */
export interface Finished<T> {
  /** By job id; a job without one is taken as done. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Writes the results in the transaction that settles; `held` are the jobs whose lease still holds, by their outcome. */
  store?: (tx: Transaction<T>, held: readonly Ended[]) => Promise<void>;
}

/** Told of each job whose settlement was accepted. */
export type OnSettled = (job: Job, outcome: Outcome, facts: SettledFacts) => void;
export interface SettledFacts {
  /** Milliseconds that `work` took for the job and those that were handed to it together. */
  ms: number;
  /** The worker now waits for something that it can't reach. */
  paused: boolean;
}

export interface WorkerOptions<T> {
  db: Database<T>;
  kind: string;
  /** Groups of jobs worked on at once. */
  slots: number;
  /** Jobs of one tenant handed to `work` together. */
  batch: number;
  /** Asked before each claim: false leaves the work to others for now. */
  admit?: () => boolean;
  /** Does the I/O, outside of any transaction. A throw is a retry with backoff. */
  work: (tenant: TenantId, jobs: readonly Job[], signal: AbortSignal) => Promise<Finished<T>>;
  /** Writes what follows from jobs whose `work` threw, as `Finished.store` does for the others: some are given up. */
  storeThrown?: (tx: Transaction<T>, tenant: TenantId, held: readonly Ended[]) => Promise<void>;
  maxAttempts?: number;
  leaseMs?: number;
  ageingMs?: number;
  onSettled?: OnSettled;
  onError?: (error: unknown, jobs: readonly Job[]) => void;
}

export interface Worker {
  /** Why nothing is being done, while something it needs is unreachable. */
  paused(): Failure | null;
  /** Has nothing in hand. */
  idle(): boolean;
  /** Takes no more, gives the jobs in hand `graceMs` to end, then hands them back without cost of an attempt. */
  stop(graceMs?: number): Promise<void>;
}

/** How long a loop that found nothing waits for a ring: whatever is due rings (look-for-jobs.ts). */
const UNRUNG_MS = 30_000;

const backoffMs = (attempts: number): number => Math.min(60_000, 250 * 2 ** attempts) * (0.75 + Math.random() / 2);

/** Claims jobs by lease, works on them, and settles each while its fence holds: in the trace that asked for it. */
export const runWorker = <T>(options: WorkerOptions<T>): Worker => {
  const { db, kind, slots, batch, work, maxAttempts = 5, leaseMs = 30_000, ageingMs = 60_000 } = options;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const running = new Map<Promise<unknown>, readonly Job[]>();
  const pause: { until: number; why: Failure | null } = { until: 0, why: null };
  let served: string[] = [];
  /** The last claim was filled, so that there may be more; where it was not, new work rings. */
  let moreDue = true;

  const settleGroup = (tenant: TenantId, jobs: readonly Job[], finished: Finished<T>): Promise<Ended[]> =>
    db.asTenant(tenant, async (tx) => {
      const ended = jobs.map((job) => ({
        job,
        outcome: finalOutcome(job, finished.outcomes.get(job.id), maxAttempts),
      }));
      const well = ended.filter(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'skipped');
      const holding = await settleDone(
        tx,
        well.map(({ job }) => job),
      );
      const held = well.filter(({ job }) => holding.has(job.id));
      for (const one of ended) if (!well.includes(one) && (await settle(tx, one.job, one.outcome))) held.push(one);
      if (held.length > 0) await finished.store?.(tx, held);
      return held;
    });

  const follow = (settled: readonly Ended[], ms: number): void => {
    for (const { outcome } of settled)
      if (outcome.kind === 'paused') Object.assign(pause, { until: Date.now() + outcome.afterMs, why: outcome.why });
    if (settled.some(({ outcome }) => outcome.kind !== 'paused')) pause.why = null;
    if (settled.some(({ outcome }) => outcome.kind !== 'done' && outcome.kind !== 'skipped')) moreDue = true;
    for (const { job, outcome } of settled) options.onSettled?.(job, outcome, { ms, paused: pause.why !== null });
  };

  const runGroup = async (tenant: TenantId, jobs: readonly Job[]): Promise<readonly Ended[]> => {
    let finished: Finished<T>;
    const began = performance.now();
    try {
      finished = await work(tenant, jobs, aborting.signal);
    } catch (error) {
      if (!aborting.signal.aborted) options.onError?.(error, jobs);
      finished = {
        outcomes: new Map(jobs.map((job) => [job.id, outcomeOfThrow(error, job, aborting.signal)])),
        store: async (tx, held) => options.storeThrown?.(tx, tenant, held),
      };
    }
    const ms = performance.now() - began;
    try {
      const settled = await settleGroup(tenant, jobs, finished);
      follow(settled, ms);
      return settled;
    } catch (error) {
      options.onError?.(error, jobs); // the lease lapses and the jobs are claimed again
      return [];
    }
  };

  const start = (jobs: readonly Job[]): void => {
    const tenant = jobs[0]?.tenant;
    if (!tenant) return;
    served = [...served.filter((one) => one !== tenant), tenant].slice(-1000);
    const work = inJobSpan(kind, jobs, () => runGroup(tenant, jobs));
    const group = work.finally(() => {
      running.delete(group);
      if (moreDue) processBell.ring(jobsBell(kind));
    });
    running.set(group, jobs);
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const free = slots - running.size;
        const wait = pause.until - Date.now();
        const admitted = free > 0 && wait <= 0 && (options.admit?.() ?? true);
        if (!admitted)
          moreDue = true; // who rang was not heard out
        else {
          const limit = batch === 1 ? free : batch;
          const jobs = await claim(db as Database<unknown>, { kind, limit, leaseMs, ageingMs, served });
          moreDue = jobs.length >= limit;
          for (const group of groupsByTenant(jobs, batch)) start(group);
          if (moreDue) continue;
        }
        await processBell.wait(
          jobsBell(kind),
          wait > 0 ? Math.min(wait, 1_000) : options.admit && free > 0 && !admitted ? 100 : UNRUNG_MS,
          stopping.signal,
        );
      } catch (error) {
        options.onError?.(error, []);
        await processBell.wait(jobsBell(kind), 1_000, stopping.signal);
      }
    }
  };

  const heartbeat = setInterval(() => {
    const held = [...running.values()].flat();
    renewLeases(db as Database<unknown>, held, leaseMs).catch((error: unknown) => options.onError?.(error, held));
  }, leaseMs / 3);
  heartbeat.unref();
  const callOff = lookForJobs(db as Database<unknown>, kind, (error) => options.onError?.(error, []));
  const looping = loop();

  return {
    paused: () => pause.why,
    idle: () => running.size === 0,
    stop: async (graceMs = 5_000) => {
      stopping.abort();
      callOff();
      await looping;
      const ended = Promise.all(running.keys());
      const timer = setTimeout(() => aborting.abort(), graceMs);
      await ended;
      clearTimeout(timer);
      clearInterval(heartbeat);
    },
  };
};

const finalOutcome = (job: Job, outcome: Outcome = done(), maxAttempts: number): Outcome =>
  outcome.kind === 'retry' && job.attempts >= maxAttempts ? hopeless(outcome.why) : outcome;

/** What is out of reach is so for every job: then the worker rests, and no attempt is spent. */
const OUTAGE_MS = 2_000;

const outcomeOfThrow = (error: unknown, job: Job, signal: AbortSignal): Outcome =>
  signal.aborted || isUnreachable(error)
    ? { kind: 'paused', afterMs: signal.aborted ? 0 : OUTAGE_MS, why: failureOf(error) }
    : retry(backoffMs(job.attempts), failureOf(error));

const groupsByTenant = (jobs: readonly Job[], batch: number): Job[][] => {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) groups.set(job.tenant, [...(groups.get(job.tenant) ?? []), job]);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / batch) }, (_, i) => group.slice(i * batch, (i + 1) * batch)),
  );
};
