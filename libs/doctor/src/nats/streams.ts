import { JetStreamApiError, jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { STREAMS } from '@postmaster/bus';
import { fail, ok, type Verdict, warn } from '../finding.js';
import { age, count, listed, size } from '../figures.js';

const NEARLY = 0.8;
const FULL = 0.95;
const TIMEOUT_MS = 4_000;

export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: TIMEOUT_MS });

/** Whether the account may use JetStream, and how much of its room is taken. */
export const storageVerdict = async (connection: NatsConnection): Promise<Verdict> => {
  const { storage, limits, streams, consumers } = await (await managerOf(connection)).getAccountInfo();
  const most = limits.max_storage;
  const holds = `${count(streams, 'stream')} and ${count(consumers, 'consumer')} take ${size(storage)}`;
  if (!(most > 0)) return ok(`${holds}; the account has no limit of its own.`);
  const share = storage / most;
  const said = `${holds}, ${Math.round(share * 100)} % of the ${size(most)} that the account may take.`;
  const next = 'Raise the limit (max_file_store, or that of the account), or lower the age of streams.';
  if (share > FULL) return fail(said, next);
  return share > NEARLY ? warn(said, next) : ok(said);
};

/** Whether both streams are there, with as many copies as configured, and room. */
export const streamsVerdict = async (connection: NatsConnection, replicas: number): Promise<Verdict> => {
  const { streams } = await managerOf(connection);
  const names = Object.values(STREAMS).map(({ name }) => name);
  const infos = await Promise.all(names.map((name) => streams.info(name).catch(missingIsNone)));
  return streamsSaid(
    names.map((name, at) => ({ name, info: infos[at] })),
    replicas,
  );
};

const missingIsNone = (error: unknown): undefined => {
  if (error instanceof JetStreamApiError && error.status === 404) return undefined;
  throw error;
};

/** Pure. */
export const streamsSaid = (found: readonly { name: string; info?: StreamInfo }[], replicas: number): Verdict => {
  const there = found.flatMap(({ info }) => info ?? []);
  const missing = found.flatMap(({ name, info }) => (info ? [] : [name]));
  if (there.length === 0) return ok(`${listed(missing)} are not there yet: a service makes them at its first start.`);
  const said = `${there.map(streamText).join('; ')}.`;
  if (missing.length > 0)
    return warn(
      `${said} ${listed(missing)} is missing.`,
      'Restart a service: it makes the stream, and tells again what is in outboxes.',
    );
  const headless = there.filter(({ cluster }) => cluster && !cluster.leader);
  if (headless.length > 0)
    return fail(
      `${said} ${namesOf(headless)} has no leader, and takes nothing.`,
      'Bring the missing NATS servers back: more than half of the copies have to be there.',
    );
  const behind = there.filter(({ cluster }) => cluster?.replicas?.some(({ current, offline }) => !current || offline));
  const full = there.filter(({ config, state }) => config.max_bytes > 0 && state.bytes > NEARLY * config.max_bytes);
  const others = there.filter(({ config }) => config.num_replicas !== replicas);
  if (behind.length > 0)
    return warn(`${said} A copy of ${namesOf(behind)} is out or behind.`, 'See whether every NATS server runs.');
  if (full.length > 0)
    return warn(`${said} ${namesOf(full)} is nearly full: the oldest messages go first.`, 'Raise its max_bytes.');
  if (others.length > 0)
    return warn(
      `${said} NATS_REPLICAS says ${replicas}.`,
      'Restart a service, which changes the streams; its log says where NATS can not.',
    );
  return ok(said);
};

const namesOf = (streams: readonly StreamInfo[]): string => listed(streams.map(({ config }) => config.name));

const streamText = ({ config, state }: StreamInfo): string =>
  `${config.name}: ${count(state.messages, 'message')}, ${size(state.bytes)}${config.max_bytes > 0 ? ` of ${size(config.max_bytes)}` : ''}, kept for ${age(config.max_age / 1e9)}, ${count(config.num_replicas, 'copy', 'copies')}`;
