import type { ConsumerInfo, JetStreamManager, MsgRequest } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { STREAMS } from '@postmaster/bus';
import { ok, type Verdict, warn } from '../finding.js';
import { age, count } from '../figures.js';
import { managerOf } from './streams.js';

export interface WaitingConsumer {
  name: string;
  /** Not handed out yet, and in hand. */
  waiting: number;
  /** Of the first message that is not settled. */
  oldestSeconds: number;
}

/** As deploy/prometheus/alerts.yml counts it. */
const MANY = 1_000;
const LATE_SECONDS = 300;

/** What waits for each durable consumer of both streams. */
export const consumersVerdict = async (connection: NatsConnection, now: () => number): Promise<Verdict> => {
  const manager = await managerOf(connection);
  const all: WaitingConsumer[] = [];
  for (const { name: stream } of Object.values(STREAMS))
    for (const info of await consumersOf(manager, stream)) {
      const waiting = info.num_pending + info.num_ack_pending;
      const oldestSeconds = waiting > 0 ? await oldestOf(manager, stream, info, now) : 0;
      all.push({ name: info.name, waiting, oldestSeconds });
    }
  return consumersSaid(all);
};

/** Pure. */
export const consumersSaid = (all: readonly WaitingConsumer[]): Verdict => {
  if (all.length === 0) return ok('No service has made a consumer yet.');
  const waiting = all.filter((one) => one.waiting > 0).sort((a, b) => b.oldestSeconds - a.oldestSeconds);
  if (waiting.length === 0) return ok(`${count(all.length, 'consumer')}, and nothing waits for any.`);
  const parts = waiting.map(
    ({ name, waiting: n, oldestSeconds }) => `${name} ${count(n, 'message')}, the oldest for ${age(oldestSeconds)}`,
  );
  const said = `${count(all.length, 'consumer')}; waiting: ${parts.join('; ')}.`;
  const late = waiting.some((one) => one.oldestSeconds > LATE_SECONDS || one.waiting > MANY);
  return late
    ? warn(said, 'See whether those services run and reach Postgres: docs/runbooks/ConsumerLag.md.')
    : ok(said);
};

const consumersOf = async (manager: JetStreamManager, stream: string): Promise<ConsumerInfo[]> => {
  const found: ConsumerInfo[] = [];
  try {
    for await (const info of manager.consumers.list(stream)) found.push(info);
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error; // no stream, no consumers
  }
  return found;
};

/** Age of the first message behind what is settled. Only its time is read. */
const oldestOf = async (
  { streams }: JetStreamManager,
  stream: string,
  { ack_floor, config }: ConsumerInfo,
  now: () => number,
): Promise<number> => {
  // the server knows this request from 2.9 on; the client's type of it is for direct reads
  const first = { seq: ack_floor.stream_seq + 1, next_by_subj: config.filter_subject ?? '>' } as MsgRequest;
  const message = await streams.getMessage(stream, first).catch(() => null); // it may have gone meanwhile
  return message ? Math.max(0, (now() - message.time.getTime()) / 1000) : 0;
};
