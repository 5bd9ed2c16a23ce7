import {
  AckPolicy,
  type Consumer as PullConsumer,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  ReplayPolicy,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { EventType } from '@postmaster/contracts';
import { backoffMs, pause } from './backoff.js';
import { inSession, type Nats } from './connect-nats.js';
import type { Outage } from './outage.js';
import { ensureStreams, type StreamLimits, STREAMS, streamsApi } from './streams.js';

export interface Pull {
  nats: Nats;
  /** Of the durable consumer; replicas of a service share it. */
  durable: string;
  type: EventType;
  limits: StreamLimits;
  /** Messages in hand at once. */
  slots: number;
  outage: Outage;
  signal: AbortSignal;
  /** Settles the message; never throws. */
  handle: (message: JsMsg) => Promise<void>;
  onError: (error: unknown) => void;
}

/** How long a pull stands open; a stop waits for it, so that what is on its way is handed back and not lost for long. */
const PULL_MS = 1_000;
/** After which an unsettled message comes again; a handler's transaction takes far less. */
const ACK_WAIT_MS = 15_000;
/** What waits for its next try counts as pending, too. */
const MAX_PENDING = 10_000;
const RETRY_MS = { first: 200, most: 5_000 };

/**
 * Pulls the messages of one type, as many as there are free slots, until the signal; ends when those in hand have. Makes
 * streams and consumer where they are missing, also later.
 */
export const pullMessages = async (pull: Pull): Promise<void> => {
  const { nats, slots, outage, signal } = pull;
  const inHand = new Set<Promise<void>>();
  let consumer: { of: NatsConnection; pulls: PullConsumer } | undefined;

  const take = (message: JsMsg): void => {
    if (signal.aborted) return message.nak();
    const handling = pull.handle(message).finally(() => inHand.delete(handling));
    inHand.add(handling);
  };

  for (let failed = 0; !signal.aborted;) {
    while (inHand.size >= slots) await Promise.race(inHand);
    await outage.over(signal); // what was in hand may have met one
    const connection = await nats.ready(5_000, signal);
    if (!connection || signal.aborted) continue;
    try {
      if (consumer?.of !== connection)
        consumer = { of: connection, pulls: await inSession(nats.session, ensureConsumer(pull, connection)) };
      await fetchInto(consumer.pulls, slots - inHand.size, nats.session, take);
      failed = 0;
    } catch (error) {
      consumer = undefined;
      if (nats.failure !== null) continue; // said by the connection itself
      if (failed++ > 0) pull.onError(error); // once is a stream or consumer that went, and is made again
      await pause(backoffMs(failed, RETRY_MS.first, RETRY_MS.most), signal);
    }
  }
  await Promise.all(inHand);
};

const ensureConsumer = async (pull: Pull, connection: NatsConnection): Promise<PullConsumer> => {
  await ensureStreams(connection, pull.limits, pull.onError);
  const api = await streamsApi(connection);
  const { name, subjects } = STREAMS[pull.type.startsWith('public.') ? 'public' : 'work'];
  const info = await api.consumers.add(name, {
    durable_name: pull.durable,
    name: pull.durable,
    filter_subject: filterOf(pull.type, subjects),
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1, // how often it may throw is counted where an outage does not add to it
    max_ack_pending: MAX_PENDING,
  });
  return jetstream(connection).consumers.getConsumerFromInfo(info);
};

/** This type's subject of every tenant. */
const filterOf = (type: EventType, subjects: string): string =>
  subjects.replace('>', `*.${type.startsWith('public.') ? type.slice('public.'.length) : type}`);

/** Ends when `most` have come, when the pull ran out, or when the connection is lost. */
const fetchInto = async (
  consumer: PullConsumer,
  most: number,
  session: AbortSignal,
  take: (message: JsMsg) => void,
): Promise<void> => {
  const messages = await consumer.fetch({ max_messages: most, expires: PULL_MS });
  const stop = (): void => messages.stop();
  const overdue = setTimeout(stop, PULL_MS + 3_000);
  session.addEventListener('abort', stop, { once: true });
  if (session.aborted) stop();
  try {
    for await (const message of messages) take(message);
  } finally {
    clearTimeout(overdue);
    session.removeEventListener('abort', stop);
  }
};
