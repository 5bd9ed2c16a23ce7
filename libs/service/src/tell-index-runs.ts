import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

/** What is told of a comparison or rebuilding of an index that has ended. */
export interface EndedRun {
  tenant: string;
  id: string;
  kind: string;
  phase: string;
  looked: number;
  filled: number;
  missing: number;
  orphaned: number;
  stale: number;
  mended: number;
  dry_run: boolean;
  fault: unknown;
}

/** A line in the log for each run that has ended, and its differences counted. */
export const tellIndexRuns =
  (metrics: Metrics, log: Log) =>
  ({ tenant, id, kind, phase, looked, filled, missing, orphaned, stale, mended, dry_run, fault }: EndedRun): void => {
    const differences = { missing, orphaned, stale, mended };
    const facts = { tenant, id, kind, phase, looked, filled, ...differences, dryRun: dry_run, fault };
    log.info(facts, 'an index run has ended');
    if (dry_run) return;
    for (const [difference, count] of Object.entries(differences)) metrics.reconciled.inc({ difference }, count);
  };
