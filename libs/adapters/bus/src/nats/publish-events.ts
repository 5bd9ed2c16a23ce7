import { jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { type DomainEvent, type Failure, failure } from '@postmaster/contracts';
import type { OutgoingEvent } from '@postmaster/durable';
import { inSession } from './connect-nats.js';
import { messageOf } from './envelope.js';

export interface Published {
  /** The events that the stream has, by their ids, and where. */
  kept: { id: string; sequence: number }[];
  /** The greatest sequence given to them; the one given before it where there is none. */
  lastSequence: number;
  /** A sequence that was new to the stream was not new to us: it has lost what it had. */
  wentBack: boolean;
  /** The bus will never carry these. */
  refused: { event: DomainEvent; why: Failure }[];
  /** Why the others are still to be sent. */
  error?: unknown;
}

const ANSWER_MS = 5_000;

/** Publishes these, all in flight at once. `session` ends the wait for answers when the connection is lost. */
export const publishEvents = async (
  connection: NatsConnection,
  session: AbortSignal,
  outgoing: readonly OutgoingEvent[],
  {
    service,
    stream,
    lastSequence,
    maxBytes,
  }: { service: string; stream: string; lastSequence: number; maxBytes: number },
): Promise<Published> => {
  const client = jetstream(connection);
  const limit = Math.min(maxBytes, (connection.info?.max_payload ?? maxBytes) - HEADERS_BYTES);
  const published: Published = { kept: [], lastSequence, wentBack: false, refused: [] };
  const publish = async ({ event, messageId }: OutgoingEvent): Promise<void> => {
    const message = messageOf(event, service);
    const bytes = message.body.length;
    if (bytes > limit) {
      const why = failure('EVENT_TOO_LARGE', `A ${event.type} has ${bytes} bytes; the bus carries at most ${limit}.`);
      published.refused.push({ event, why });
      return;
    }
    const fields = headers();
    for (const [name, value] of Object.entries(message.headers)) fields.set(name, value);
    const answer = await client.publish(message.subject, message.body, {
      ...{ msgID: messageId, headers: fields, timeout: ANSWER_MS },
      expect: { streamName: stream },
    });
    published.kept.push({ id: event.id, sequence: answer.seq });
    if (answer.duplicate) return;
    published.wentBack ||= answer.seq <= lastSequence;
    published.lastSequence = Math.max(published.lastSequence, answer.seq);
  };
  const all = outgoing.map((one) => publish(one).catch((error: unknown) => void (published.error ??= error)));
  await inSession(session, Promise.all(all)).catch((error: unknown) => void (published.error ??= error));
  return { ...published, kept: [...published.kept], refused: [...published.refused] };
};

/** What the headers of a message may take of a message's bytes. */
const HEADERS_BYTES = 1_024;
