import type { Cluster } from '@postmaster/cluster';
import { rowsOf } from './stored.js';

/** Jobs that wait or are in hand, and events that have not gone out, of all services. */
export const waiting = async (cluster: Cluster): Promise<number> => {
  const count = (service: string): string =>
    `(select count(*) from ${service}.jobs) + (select count(*) from ${service}.outbox where published_at is null)`;
  const [row] = await rowsOf<{ count: number }>(
    cluster,
    `select (${['ingestion', 'enrichment', 'embedding'].map(count).join(' + ')})::int as count`,
  );
  return row?.count ?? 0;
};

/** Until nothing waits any more. */
export const settled = async (cluster: Cluster, withinMs: number): Promise<void> => {
  const until = Date.now() + withinMs;
  for (let quiet = 0; quiet < 3;) {
    quiet = (await waiting(cluster)) === 0 ? quiet + 1 : 0; // what goes by the bus is seen by neither side for a moment
    if (Date.now() > until) throw new Error('Work is still waiting.');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

/** Bulk work of one tenant: for paragraphs that are not there, so that all of its cost is the queue's. */
export const burst = async (cluster: Cluster, tenant: string, count: number): Promise<void> => {
  for (const [service, kind] of [
    ['enrichment', 'enrichment.make-facets'],
    ['embedding', 'embedding.index-text'],
  ])
    await rowsOf(
      cluster,
      `insert into ${service}.jobs (tenant, kind, key, document, version, lane)
       select '${tenant}', '${kind}', 'burst-' || n, 'burst-' || n % 100, 1, 'bulk' from generate_series(1, ${count}) n`,
    );
};

/** Takes back what of it nobody has begun. */
export const endBurst = async (cluster: Cluster, tenant: string): Promise<void> => {
  for (const service of ['enrichment', 'embedding'])
    await rowsOf(cluster, `delete from ${service}.jobs where tenant = '${tenant}' and state = 'ready'`);
};
