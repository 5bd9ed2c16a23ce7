import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What a process counts, besides what Node says of itself. */
export interface Metrics {
  /** Events that a consumer was given: done, skipped, failed, buried. */
  events: Counter<'consumer' | 'outcome'>;
  /** Jobs by how they ended: done, skipped, retry, hopeless, paused. */
  jobs: Counter<'kind' | 'outcome'>;
  /** What a worker did for a job and those it took with it, without the settlement. */
  jobSeconds: Histogram<'kind'>;
  /** Attempts that a job had taken when it ended: done, skipped or given up. */
  jobAttempts: Histogram<'kind'>;
  /** 1 while a worker waits for something that it can't reach. */
  workerPaused: Gauge<'kind'>;
  /** Events that the bus holds for a consumer and has not settled. */
  consumerPending: Gauge<'consumer'>;
  /** Differences between rows and vectors: missing, orphaned, stale, and how many were mended. */
  reconciled: Counter<'difference'>;
  /** Calls to a model or encoder. */
  modelCalls: Counter<'model' | 'outcome'>;
  modelSeconds: Histogram<'model'>;
  /** Calls that went on to the next model of a chain, by why: the failure's kind, or skipped. */
  modelFallbacks: Counter<'from' | 'to' | 'why'>;
  /** Tokens by direction: in, out. */
  modelTokens: Counter<'model' | 'direction'>;
  /** Parts of facets that did not stand the checks. */
  rejectedFacets: Counter<'reason'>;
  /** Look-ups in a cache: hit, joined (another had it under way), miss. */
  cacheLookups: Counter<'cache' | 'outcome'>;
  /** The phases of a search: plan, encode, candidates, complete, fuse, rerank, all. */
  searchSeconds: Histogram<'phase'>;
  /** Requests at a front door. */
  requestSeconds: Histogram<'route' | 'status'>;
  registry: Registry;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const ATTEMPTS = [1, 2, 3, 4, 5, 8, 13];

/** Made once per process. `service` names it on every line. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const seconds = <L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers });
  return {
    events: counter('postmaster_events_total', 'Events given to a consumer, by outcome.', ['consumer', 'outcome']),
    jobs: counter('postmaster_jobs_total', 'Jobs by outcome.', ['kind', 'outcome']),
    jobSeconds: seconds('postmaster_job_seconds', 'Time of the work on a job.', ['kind']),
    jobAttempts: new Histogram({
      ...{ name: 'postmaster_job_attempts', help: 'Attempts of a job when it ended.', labelNames: ['kind'], registers },
      buckets: ATTEMPTS,
    }),
    workerPaused: gauge('postmaster_worker_paused', '1 while a worker waits for what it can not reach.', ['kind']),
    consumerPending: gauge('postmaster_consumer_pending', 'Events on the bus that a consumer has not settled.', [
      'consumer',
    ]),
    reconciled: counter('postmaster_reconciled_total', 'Differences between rows and vectors, by kind.', [
      'difference',
    ]),
    modelCalls: counter('postmaster_model_calls_total', 'Calls to models, by outcome.', ['model', 'outcome']),
    modelSeconds: seconds('postmaster_model_seconds', 'Time of a call to a model.', ['model']),
    modelTokens: counter('postmaster_model_tokens_total', 'Tokens given to and by models.', ['model', 'direction']),
    modelFallbacks: counter('postmaster_model_fallbacks_total', 'Calls that went on to the next model, by why.', [
      ...(['from', 'to', 'why'] as const),
    ]),
    rejectedFacets: counter('postmaster_rejected_facets_total', 'Parts of facets that do not count, by reason.', [
      'reason',
    ]),
    cacheLookups: counter('postmaster_cache_lookups_total', 'Look-ups in a cache, by outcome.', ['cache', 'outcome']),
    searchSeconds: seconds('postmaster_search_seconds', 'Time of each phase of a search.', ['phase']),
    requestSeconds: seconds('postmaster_request_seconds', 'Time of a request.', ['route', 'status']),
    registry,
  };
};
