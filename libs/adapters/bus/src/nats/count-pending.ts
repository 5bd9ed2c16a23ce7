import type { Consumer } from '@postmaster/contracts';
import type { Nats } from './connect-nats.js';
import { isNotFound, STREAMS, streamsApi } from './streams.js';

/**
 * Messages that each consumer has not settled, by its name: what waits for it and what is in hand. Empty while there is
 * no connection.
 */
export const countPending = async (
  nats: Nats,
  durables: ReadonlyMap<string, { consumer: Consumer; type: Consumer['types'][number] }>,
): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  const connection = await nats.ready(0);
  if (!connection) return counts;
  const { consumers } = await streamsApi(connection);
  for (const [durable, { consumer, type }] of durables) {
    const { name } = STREAMS[type.startsWith('public.') ? 'public' : 'work'];
    const info = await consumers.info(name, durable).catch((error: unknown) => {
      if (isNotFound(error)) return undefined; // not made yet, or made anew in a moment
      throw error;
    });
    const pending = info ? info.num_pending + info.num_ack_pending : 0;
    counts.set(consumer.name, (counts.get(consumer.name) ?? 0) + pending);
  }
  return counts;
};
