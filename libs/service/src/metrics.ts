import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What a process counts, besides what Node says of itself. */
export interface Metrics {
  /** Events that a consumer was given: done, skipped, failed, buried. */
  events: Counter<'consumer' | 'outcome'>;
  /** Jobs by how they ended: done, skipped, retry, hopeless, paused. */
  jobs: Counter<'kind' | 'outcome'>;
  /** Calls to a model or encoder. */
  modelCalls: Counter<'model' | 'outcome'>;
  modelSeconds: Histogram<'model'>;
  /** The phases of a search: plan, encode, candidates, complete, fuse, rerank, all. */
  searchSeconds: Histogram<'phase'>;
  /** Requests at a front door. */
  requestSeconds: Histogram<'route' | 'status'>;
  registry: Registry;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

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
  return {
    events: counter('postmaster_events_total', 'Events given to a consumer, by outcome.', ['consumer', 'outcome']),
    jobs: counter('postmaster_jobs_total', 'Jobs by outcome.', ['kind', 'outcome']),
    modelCalls: counter('postmaster_model_calls_total', 'Calls to models, by outcome.', ['model', 'outcome']),
    modelSeconds: seconds('postmaster_model_seconds', 'Time of a call to a model.', ['model']),
    searchSeconds: seconds('postmaster_search_seconds', 'Time of each phase of a search.', ['phase']),
    requestSeconds: seconds('postmaster_request_seconds', 'Time of a request.', ['route', 'status']),
    registry,
  };
};
