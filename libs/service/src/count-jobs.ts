import type { Outcome } from '@postmaster/contracts';
import type { Metrics } from './metrics.js';

/** Of a job as workers tell it, what is counted. */
export interface CountedJob {
  kind: string;
  attempts: number;
}

/** Counts each job that a worker settled; `ms` is what its work took, `paused` whether its worker waits now. */
export const countJobs =
  ({ jobs, jobSeconds, jobAttempts, workerPaused }: Metrics) =>
  ({ kind, attempts }: CountedJob, outcome: Outcome, { ms, paused }: { ms: number; paused: boolean }): void => {
    jobs.inc({ kind, outcome: outcome.kind });
    jobSeconds.observe({ kind }, ms / 1000);
    workerPaused.set({ kind }, paused ? 1 : 0);
    if (ENDED.has(outcome.kind)) jobAttempts.observe({ kind }, attempts);
  };

const ENDED = new Set<Outcome['kind']>(['done', 'skipped', 'hopeless']);
