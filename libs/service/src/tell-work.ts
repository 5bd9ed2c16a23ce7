import { CodedError, type DomainEvent, type Outcome } from '@postmaster/contracts';
import { countJobs } from './count-jobs.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

/** Of a job as workers tell it, what is counted and logged. */
export interface ToldJob {
  kind: string;
  document: string;
  key: string;
  attempts: number;
}

/** What workers tell: each settled job is counted, and logged where it came out badly; so is what threw. */
export const tellWork = (metrics: Metrics, log: Log) => {
  const count = countJobs(metrics);
  return {
    onSettled: (job: ToldJob, outcome: Outcome, facts: { ms: number; paused: boolean }): void => {
      count(job, outcome, facts);
      const { kind, document, key, attempts } = job;
      if (outcome.kind === 'hopeless' || outcome.kind === 'retry')
        log.warn({ kind, document, key, attempts, why: outcome.why }, `a job ended in ${outcome.kind}`);
    },
    onError: (err: unknown, where: string): void => log.error({ err, where }, 'work failed and will be tried again'),
  };
};

/** What a delivery of events tells: counted by outcome; an event about what is gone by now is no error. */
export const tellEvents = (metrics: Metrics, log: Log) => ({
  onDelivered: (_event: DomainEvent, consumer: string, outcome: string): void =>
    metrics.events.inc({ consumer, outcome }),
  onError: (err: unknown, event?: DomainEvent, consumer?: string): void =>
    err instanceof CodedError && err.code === 'NOT_FOUND'
      ? log.debug({ event: event?.id, consumer }, err.message)
      : log.error({ err, event: event?.id, type: event?.type, consumer }, 'an event was not handled'),
});
