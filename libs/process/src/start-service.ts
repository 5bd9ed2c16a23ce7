import type { DynamicModule } from '@nestjs/common';
import type { Nats } from '@postmaster/bus';
import type { IdentitySeal, Requests } from '@postmaster/contracts';
import type { ServiceRows } from '@postmaster/database';
import { type Database, databaseOf, type OnSettled, rowFigures, type ServiceParts } from '@postmaster/durable';
import {
  type Lifecycle,
  type Log,
  type Metrics,
  startSubgraph,
  tellWork,
  watchPool,
  watchRows,
} from '@postmaster/service';
import { sql } from 'kysely';
import { deliverEvents } from './deliver-events.js';
import { openRows, type OpenRows } from './open-rows.js';
import { openProcess } from './open-process.js';
import type { ProcessConfig } from './process-config.js';
import type { RunningProcess } from './run-process.js';

/** What a service is composed of in its own process. */
export interface Surroundings<T> {
  db: Database<T>;
  seal: IdentitySeal;
  requests: Requests;
  /** Where it is configured. */
  nats: Nats | undefined;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
  onSettled: OnSettled;
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
  /** A service that can answer most without them serves, and is ready, while they are out of reach. */
  rowsAre?: 'for every request' | 'for some requests';
  compose(surroundings: Surroundings<T>): Promise<Composed> | Composed;
}

/**
 * One service as a process of its own: its rows, its workers, its subgraph over HTTP, and its place on the bus. It
 * serves at once, and is ready when its rows are.
 *
 * Without NATS its neighbours are out of reach: nobody answers its requests, its consumers are given nothing, and what
 * it has to tell waits, unpublished, in its outbox. Delivering the outbox in this process would mark as told what no
 * other process has heard.
 */
export const startService = <T>({
  name,
  config,
  rows,
  rowsAre = 'for every request',
  compose,
}: ServiceOptions<T>): Promise<RunningProcess> =>
  openProcess(name, config, async ({ seal, log, metrics, lifecycle, bus, requests }) => {
    const opened = rows && (await openRows(config, rows, log));
    if (opened) lifecycle.onShutdown('pools', 'rows', opened.close);
    const db = databaseIn<T>(opened, rows);
    const { module, typeDefs, parts } = await compose({
      ...{ seal, log, metrics, lifecycle, db, requests, nats: bus?.nats },
      ...tellWork(metrics, log),
    });
    const anyDb = db as Database<unknown>; // what is the same in every service's rows
    if (opened?.pool) watchPool(metrics, opened.pool);
    if (opened && parts)
      watchRows(
        metrics,
        { [name]: () => rowFigures(anyDb) },
        { onError: (err) => log.debug({ err }, 'rows not counted') },
      );
    const events =
      bus && rows && parts
        ? deliverEvents({
            ...{ nats: bus.nats, db: anyDb, schema: rows.schema, consumers: parts.consumers },
            ...{ config, log, metrics, lifecycle },
          })
        : undefined;
    const needed = rowsAre === 'for every request';
    const checks = opened && needed ? { rows: () => sql`select 1`.execute(opened.database.kysely) } : undefined;
    const health = { accepting: lifecycle.accepting, metrics, checks };
    const subgraph = await startSubgraph({ name, module, typeDefs, seal, log, health });
    lifecycle.onShutdown('http', 'subgraph', () => subgraph.close());
    if (opened?.alone) await parts?.recover();
    const url = await subgraph.listen(config.PORT, config.HOST);
    lifecycle.onShutdown('workers', 'workers', () => parts?.stop());
    const begin = async (): Promise<void> => {
      await opened?.usable();
      if (lifecycle.stopping()) return;
      parts?.start();
      events?.start();
    };
    if (needed) await begin();
    else
      void begin().catch(async (err: unknown) => {
        if (lifecycle.stopping()) return;
        log.fatal({ err }, 'the rows can not be used');
        await lifecycle.stop();
        process.exit(1);
      });
    return url;
  });

const databaseIn = <T>(opened: OpenRows | undefined, rows: ServiceRows | undefined): Database<T> => {
  if (opened && rows) return databaseOf<T>(opened.database.kysely, rows.schema);
  const none = (): Promise<never> => Promise.reject(new Error('This service has no rows.'));
  return { asTenant: none, evenClosed: none, asSystem: none, oneAsTenant: none, oneAsSystem: none };
};
