import type { DynamicModule } from '@nestjs/common';
import { localRequests } from '@postmaster/bus';
import { type IdentitySeal, identitySeal, type Outcome, type Requests } from '@postmaster/contracts';
import type { ServiceRows } from '@postmaster/database';
import { type Database, databaseOf, type Job, type ServiceParts } from '@postmaster/durable';
import {
  createLifecycle,
  createLog,
  createMetrics,
  type Lifecycle,
  type Log,
  type Metrics,
  startSubgraph,
} from '@postmaster/service';
import { sql } from 'kysely';
import { openRows, type OpenRows } from './open-rows.js';
import { type ProcessConfig, secretOf } from './process-config.js';
import type { RunningProcess } from './run-process.js';

/** What a service is composed of in its own process. */
export interface Surroundings<T> {
  db: Database<T>;
  seal: IdentitySeal;
  requests: Requests;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
  onSettled: (job: Job, outcome: Outcome) => void;
  onError: (error: unknown, where: string) => void;
}

export interface Composed {
  module: DynamicModule;
  typeDefs: string;
  /** Consumers, workers and timers, where the service has any. */
  parts?: ServiceParts & { recover(): Promise<void> };
}

export interface ServiceOptions<T> {
  name: string;
  config: ProcessConfig;
  /** Its schema; a service without rows must not touch `db`. */
  rows?: ServiceRows;
  compose(surroundings: Surroundings<T>): Promise<Composed> | Composed;
}

/**
 * One service as a process of its own: its rows, its workers, its subgraph over HTTP.
 *
 * Its neighbours are out of reach until there is a bus between processes (JetStream comes with the next issue): nobody
 * answers its requests, its consumers are given nothing, and what it has to tell waits, unpublished, in its outbox.
 * Delivering the outbox in this process would mark as told what no other process has heard.
 */
export const startService = async <T>({ name, config, rows, compose }: ServiceOptions<T>): Promise<RunningProcess> => {
  const seal = identitySeal(secretOf(config));
  const log = createLog({ name, level: config.LOG_LEVEL });
  const metrics = createMetrics(name);
  const lifecycle = createLifecycle({ log, limitMs: config.SHUTDOWN_TIMEOUT_MS });
  try {
    const opened = rows && (await openRows(config, rows, log));
    if (opened) lifecycle.onShutdown('pools', 'rows', opened.close);
    const { module, typeDefs, parts } = await compose({
      ...{ seal, log, metrics, lifecycle, db: databaseIn<T>(opened, rows) },
      requests: localRequests(seal),
      onSettled: ({ kind, document, key, attempts }, outcome) => {
        metrics.jobs.inc({ kind, outcome: outcome.kind });
        if (outcome.kind === 'hopeless' || outcome.kind === 'retry')
          log.warn({ kind, document, key, attempts, why: outcome.why }, `a job ended in ${outcome.kind}`);
      },
      onError: (err, where) => log.error({ err, where }, 'work failed and will be tried again'),
    });
    const checks = opened && { rows: () => sql`select 1`.execute(opened.database.kysely) };
    const health = { accepting: lifecycle.accepting, metrics, checks };
    const subgraph = await startSubgraph({ name, module, typeDefs, seal, log, health });
    lifecycle.onShutdown('http', 'subgraph', () => subgraph.close());
    if (opened?.alone) await parts?.recover();
    const url = await subgraph.listen(config.PORT, config.HOST);
    parts?.start();
    lifecycle.onShutdown('workers', 'workers', () => parts?.stop());
    lifecycle.started();
    return { name, url, lifecycle };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
};

const databaseIn = <T>(opened: OpenRows | undefined, rows: ServiceRows | undefined): Database<T> => {
  if (opened && rows) return databaseOf<T>(opened.database.kysely, rows.schema);
  const none = (): Promise<never> => Promise.reject(new Error('This service has no rows.'));
  return { asTenant: none, asSystem: none };
};
