import type { JsMsg } from '@nats-io/jetstream';
import { type Consumer, type DomainEvent, type Failure, failureOf, MAX_DELIVERIES } from '@postmaster/contracts';
import { buryEvent, buryMessage, countFailure, type Database, isUnreachable, SYSTEM_TENANT } from '@postmaster/durable';
import type { DeliveryOutcome } from '../delivery.js';
import { readEvent, tenantOf, TRACE_HEADER } from './envelope.js';
import type { Outage } from './outage.js';

export interface MessageHandling {
  /** Of the consumers' service: its dead letters, and its counts of what they threw. */
  db: Database<unknown>;
  outage: Outage;
  retryMs: (failures: number) => number;
  maxBytes: number;
  onDelivered: (event: DomainEvent, consumer: string, outcome: DeliveryOutcome) => void;
  onError: (error: unknown, event?: DomainEvent, consumer?: string) => void;
}

/**
 * Gives a message to the consumer and settles it: ack when it is handled; nak with delay when the handler threw; a dead
 * letter after MAX_DELIVERIES throws, and at once for what can't be read. An outage is no throw and counts for nothing.
 * Never throws.
 */
export const handleMessage = async (handling: MessageHandling, consumer: Consumer, message: JsMsg): Promise<void> => {
  const { db, outage, onError } = handling;
  let event: DomainEvent | undefined;
  try {
    const trace = message.headers?.get(TRACE_HEADER);
    const read = readEvent(message.subject, message.data, { trace, maxBytes: handling.maxBytes });
    if ('why' in read) await buryMessage(db, received(message, read.why), consumer.name, read.why);
    else {
      ({ event } = read);
      if (!(await handled(handling, consumer, event, message))) return;
    }
    outage.ended();
    if ('why' in read) {
      onError(new Error(`${read.why.code}: ${read.why.message}`), undefined, consumer.name);
      message.term();
    } else message.ack();
  } catch (error) {
    // what is out of reach is so for all messages; where the dead letter could not be kept, this one comes again
    onError(error, event, consumer.name);
    message.nak(isUnreachable(error) ? outage.seen() : AGAIN_MS);
  }
};

/** True when it is to be acknowledged; settles the message otherwise. Throws what is not the event's fault. */
const handled = async (
  { db, retryMs, onDelivered, onError }: MessageHandling,
  consumer: Consumer,
  event: DomainEvent,
  message: JsMsg,
): Promise<boolean> => {
  try {
    await consumer.handle(event);
    onDelivered(event, consumer.name, 'done');
    return true;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    onError(error, event, consumer.name);
    const failures = await countFailure(db, event, consumer.name);
    if (failures >= MAX_DELIVERIES) {
      await buryEvent(db, event, consumer.name, failureOf(error));
      message.term();
    } else message.nak(retryMs(failures));
    onDelivered(event, consumer.name, failures >= MAX_DELIVERIES ? 'dead' : 'failed');
    return false;
  }
};

const AGAIN_MS = 5_000;
const SHOWN_CHARACTERS = 10_000;

/** What a service of a newer version may be able to read is kept whole, so that it can be sent again then. */
const received = ({ subject, data, info }: JsMsg, { code }: Failure): Parameters<typeof buryMessage>[1] => ({
  tenant: tenantOf(subject) ?? SYSTEM_TENANT,
  key: `${info.stream}/${info.streamSequence}/${info.timestampNanos}`,
  subject,
  bytes: data.length,
  text:
    code === 'EVENT_UNKNOWN'
      ? new TextDecoder().decode(data)
      : new TextDecoder().decode(data.subarray(0, SHOWN_CHARACTERS * 4)).slice(0, SHOWN_CHARACTERS),
});
