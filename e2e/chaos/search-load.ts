import type { Cluster } from '@postmaster/cluster';
import { clientOf } from '../client.js';

export interface SearchLoad {
  /** Ends after the searches in hand. */
  stop(): Promise<{ asked: number; failed: string[] }>;
}

const SEARCH = `query($query: String!) { search(query: $query) { hits { score paragraph { text document { title } } } } }`;

/** Searches by the front door, so many at a time and one after the other, until it is stopped. */
export const searchLoad = (cluster: Cluster, atOnce: number): SearchLoad => {
  const client = clientOf(cluster, cluster.key);
  const failed: string[] = [];
  let asked = 0;
  let stopping = false;
  const loop = async (): Promise<void> => {
    while (!stopping) {
      const query = `Who built the lighthouse k${asked % 10}-${asked % 7}?`;
      asked++;
      try {
        const { data, errors } = await client.graphql<{ search: { hits: unknown[] } }>(SEARCH, { query });
        if (errors) failed.push(JSON.stringify(errors));
        else if (!data?.search.hits.length) failed.push('no hits');
      } catch (error) {
        failed.push(String(error));
      }
    }
  };
  const loops = Promise.all(Array.from({ length: atOnce }, loop));
  return {
    stop: async () => {
      stopping = true;
      await loops;
      return { asked, failed };
    },
  };
};
