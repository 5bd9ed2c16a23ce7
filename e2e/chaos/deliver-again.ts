import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Cluster } from '@postmaster/cluster';

const STREAM = 'POSTMASTER_WORK';
const OWNER = { 'paragraphs.parsed': 'ingestion', 'paragraphs.enriched': 'enrichment' } as const;

/** Publishes the last event of this type again, so often, under no id that the broker would know it by; gives how often. */
export const deliverAgain = async (cluster: Cluster, type: keyof typeof OWNER, times: number): Promise<number> => {
  const { nats, natsPassword } = cluster.neighbours;
  const user = OWNER[type];
  const connection = await connect({ servers: nats.url, user, pass: natsPassword(user) });
  try {
    const { streams } = await jetstreamManager(connection);
    const last = await streams.getMessage(STREAM, { last_by_subj: `postmaster.work.default.${type}` });
    if (!last) throw new Error(`No ${type} was ever published.`);
    const sent = await Promise.all(
      Array.from({ length: times }, () => jetstream(connection).publish(last.subject, last.data)),
    );
    return sent.filter(({ duplicate }) => !duplicate).length;
  } finally {
    await connection.drain();
  }
};
