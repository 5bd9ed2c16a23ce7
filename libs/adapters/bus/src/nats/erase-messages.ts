import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Database, dropEvents, erasableEvents, type OutboxShare } from '@postmaster/durable';
import { STREAMS, streamsApi } from './streams.js';

const BATCH = 100;

/** Takes what was told of deleted documents from the stream, then from the outbox that knows where it is. */
export const eraseMessages = async ({
  connection,
  db,
  share,
}: {
  connection: NatsConnection;
  db: Database<unknown>;
  share: OutboxShare;
}): Promise<void> => {
  const events = await erasableEvents(db, share === 'public', BATCH);
  if (events.length === 0) return;
  const api = await streamsApi(connection);
  for (const { id, sequences } of events)
    for (const sequence of sequences) await erase(api, STREAMS[share].name, id, Number(sequence));
  await dropEvents(
    db,
    events.map(({ id }) => id),
  );
};

/** Of a stream that was made anew, the same sequence is another's: the message has to be the one that was meant. */
const erase = async ({ streams }: JetStreamManager, stream: string, id: string, seq: number): Promise<void> => {
  try {
    const message = await streams.getMessage(stream, { seq });
    if (message?.header.get('Nats-Msg-Id').startsWith(id)) await streams.deleteMessage(stream, seq);
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.status === 404)) throw error; // retention was quicker
  }
};
