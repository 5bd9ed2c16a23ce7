import {
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { CodedError } from '@postmaster/contracts';
import type { OutboxShare } from '@postmaster/durable';

export const STREAMS: Record<OutboxShare, { name: string; subjects: string }> = {
  work: { name: 'POSTMASTER_WORK', subjects: 'postmaster.work.>' },
  public: { name: 'POSTMASTER_EVENTS', subjects: 'postmaster.events.>' },
};

/** Of each stream. */
export interface StreamLimits {
  /** Servers that keep a copy; 1 unless told. */
  replicas?: number;
  /** The oldest go where it would be passed; no limit but the server's own unless told. */
  maxBytes?: number;
  /** 7 days unless told: as long as the outbox keeps what went out. */
  maxAgeMs?: number;
  /** How long a message's id is known, 2 minutes unless told. Consumers' inboxes know it longer. */
  duplicateWindowMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const API_TIMEOUT_MS = 5_000;
const STREAM_NAME_IN_USE = 10058;

/** The part of a stream's configuration that may change while it lives. */
const changeable = ({ replicas = 1, maxBytes = -1, maxAgeMs = 7 * DAY_MS, duplicateWindowMs }: StreamLimits) => ({
  num_replicas: replicas,
  max_bytes: maxBytes,
  max_age: nanos(maxAgeMs),
  duplicate_window: nanos(Math.min(duplicateWindowMs ?? 120_000, maxAgeMs)),
});

export const streamsApi = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: API_TIMEOUT_MS });

/**
 * Makes the two streams where they are missing, whoever else does so at the same moment, and brings their limits up to
 * date; gives them as they are now. What a stream can't be changed to is told by `onError`, and it stays as it is.
 * Throws CONFIG_INVALID where one can't be made as it is configured.
 */
export const ensureStreams = async (
  connection: NatsConnection,
  limits: StreamLimits = {},
  onError: (error: unknown) => void = () => {},
): Promise<Record<OutboxShare, StreamInfo>> => {
  const api = await streamsApi(connection);
  return {
    work: await ensureStream(api, 'work', limits, onError),
    public: await ensureStream(api, 'public', limits, onError),
  };
};

/** As `ensureStreams`, for one of them. */
export const ensureStream = async (
  api: JetStreamManager,
  share: OutboxShare,
  limits: StreamLimits,
  onError: (error: unknown) => void,
): Promise<StreamInfo> => {
  const { name, subjects } = STREAMS[share];
  const wanted = { subjects: [subjects], ...changeable(limits) };
  const there = (await find(api, name)) ?? (await make(api, { name, ...wanted }));
  if (!differs(there.config, wanted)) return there;
  try {
    return await api.streams.update(name, wanted);
  } catch (cause) {
    if (!(cause instanceof JetStreamApiError)) throw cause;
    onError(unfit(`The stream ${name} stays as it is, because NATS can't change it: ${cause.message}.`, cause));
    return there;
  }
};

const find = async (api: JetStreamManager, name: string): Promise<StreamInfo | undefined> => {
  try {
    return await api.streams.info(name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const make = async (api: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<StreamInfo> => {
  try {
    return await api.streams.add({
      ...config,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
    });
  } catch (cause) {
    if (!(cause instanceof JetStreamApiError)) throw cause;
    if (cause.code === STREAM_NAME_IN_USE) return api.streams.info(config.name); // made by another, with other limits
    throw unfit(`NATS can't make the stream ${config.name} as configured: ${cause.message}.`, cause);
  }
};

const differs = (is: StreamConfig, wanted: ReturnType<typeof changeable> & { subjects: string[] }): boolean =>
  is.subjects?.join() !== wanted.subjects.join() ||
  is.num_replicas !== wanted.num_replicas ||
  is.max_bytes !== wanted.max_bytes ||
  is.max_age !== wanted.max_age ||
  is.duplicate_window !== wanted.duplicate_window;

/** The stream or the consumer is not there. */
export const isNotFound = (error: unknown): boolean => error instanceof JetStreamApiError && error.status === 404;

const unfit = (message: string, cause: unknown): CodedError => new CodedError('CONFIG_INVALID', message, { cause });
