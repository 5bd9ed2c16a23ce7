import type { Lane } from '@postmaster/contracts';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** What waits in the rows of a service, as `rowFigures` counts it. */
export interface WaitingRows {
  jobs: readonly { kind: string; lane: Lane; count: number; oldestSeconds: number }[];
  outbox: { count: number; oldestSeconds: number };
  deadLetters: readonly { source: string; name: string; count: number }[];
}

export interface WatchRowsOptions {
  /** Rows are counted no more often than this, however often it is asked. */
  everyMs?: number;
  /** A scrape waits so long for rows to be counted, and gives the last figures where that is too long. */
  waitMs?: number;
  /** The figures of a service whose rows can't be read are left out until they can. */
  onError?: (error: unknown, service: string) => void;
}

/**
 * Adds to the metrics what waits in the rows of each service, counted when it is asked for. The label `service` is the
 * rows' owner, whichever process says it; replicas of a service say the same, so take the `max` over them.
 */
export const watchRows = (
  { registry }: Metrics,
  services: Readonly<Record<string, () => Promise<WaitingRows>>>,
  { everyMs = 5_000, waitMs = 2_000, onError }: WatchRowsOptions = {},
): void => {
  const known = new Map<string, Shown[]>();
  let counted = -Infinity;
  let counting: Promise<unknown> | undefined;
  const count = async (service: string, read: () => Promise<WaitingRows>): Promise<void> => {
    const before = known.get(service) ?? [];
    try {
      const now = figures(service, await read());
      known.set(service, [...now, ...before.filter((old) => !now.some((one) => same(old, one)))]);
      for (const { gauge, labels } of before) gauge.set(labels, 0); // what has waited and no longer does is 0, not gone
      for (const { gauge, labels, value } of now) gauge.set(labels, value);
    } catch (error) {
      for (const { gauge, labels } of before) gauge.remove(labels);
      known.delete(service);
      onError?.(error, service);
    }
  };
  /** All gauges are asked at once at each scrape, and share one look at the rows. */
  const collect = async (): Promise<void> => {
    if (!counting && performance.now() - counted >= everyMs)
      counting = Promise.all(Object.entries(services).map(([service, read]) => count(service, read))).finally(() => {
        counted = performance.now();
        counting = undefined;
      });
    if (counting) await atMost(counting, waitMs);
  };
  const gauge = (name: string, help: string, ...labels: string[]): Gauge =>
    new Gauge({ name, help, labelNames: ['service', ...labels], registers: [registry], collect });
  const pending = gauge('postmaster_pending_jobs', 'Jobs asked for and not yet done.', 'kind', 'lane');
  const oldest = gauge('postmaster_oldest_job_seconds', 'Age of the oldest job not yet done.', 'kind');
  const outbox = gauge('postmaster_outbox_pending', 'Events that have not gone out.');
  const outboxAge = gauge('postmaster_outbox_oldest_seconds', 'Age of the oldest event that has not gone out.');
  const dead = gauge('postmaster_dead_letters', 'Jobs and events that were given up.', 'source', 'name');

  const figures = (service: string, { jobs, outbox: waiting, deadLetters }: WaitingRows): Shown[] => {
    const ages = new Map<string, number>();
    for (const { kind, oldestSeconds } of jobs) ages.set(kind, Math.max(ages.get(kind) ?? 0, oldestSeconds));
    return [
      ...jobs.map(({ kind, lane, count }) => ({ gauge: pending, labels: { service, kind, lane }, value: count })),
      ...[...ages].map(([kind, value]) => ({ gauge: oldest, labels: { service, kind }, value })),
      { gauge: outbox, labels: { service }, value: waiting.count },
      { gauge: outboxAge, labels: { service }, value: waiting.oldestSeconds },
      ...deadLetters.map(({ source, name, count }) => ({
        gauge: dead,
        labels: { service, source, name },
        value: count,
      })),
    ];
  };
};

interface Shown {
  gauge: Gauge;
  labels: Record<string, string>;
  value: number;
}

const same = (one: Shown, other: Shown): boolean =>
  one.gauge === other.gauge && Object.entries(one.labels).every(([name, value]) => other.labels[name] === value);

const atMost = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
};
