import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** What a pool of connections tells of itself; pg's does. */
export interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Who waits for a connection. */
  readonly waitingCount: number;
}

/** Adds a pool's connections to the metrics: busy, idle, and requests that wait for one. */
export const watchPool = ({ registry }: Metrics, pool: WatchedPool): void => {
  const connections: Gauge<'state'> = new Gauge({
    name: 'postmaster_pool_connections',
    help: 'Connections to the database by state, and who waits for one.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
};
