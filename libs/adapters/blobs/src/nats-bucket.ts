import {
  jetstream,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  StorageType,
} from '@nats-io/jetstream';
import {
  AuthorizationError,
  type NatsConnection,
  PermissionViolationError,
  TimeoutError,
  type Payload,
} from '@nats-io/nats-core';
import { Objm } from '@nats-io/obj';
import { CodedError } from '@postmaster/contracts';
import { z } from 'zod';

export interface NatsBucketOptions {
  /** The process's connection, which may be another one after an outage. Throws SERVICE_UNAVAILABLE while there is none. */
  connect: () => Promise<NatsConnection>;
  /** Letters, digits, hyphens and underscores; made where it is not there. */
  bucket: string;
  /** Copies of each blob, on servers of their own. */
  replicas?: number;
  storage?: 'file' | 'memory';
  /** Of all blobs; without limit unless told. */
  maxBytes?: number;
  /** Of one call to the server. */
  timeoutMs?: number;
}

/** What a NATS object store keeps of an object beside its bytes, as far as it is used here. */
const Meta = z.object({
  name: z.string(),
  nuid: z.string(),
  size: z.number(),
  chunks: z.number(),
  deleted: z.boolean().optional(),
  options: z.object({ max_chunk_size: z.number().int().positive() }),
  metadata: z.object({ first: z.coerce.number() }),
});
export type ObjectMeta = z.output<typeof Meta>;

export interface NamedObject {
  meta: ObjectMeta | null;
  /** Of the last message under its name, a deletion's too; 0 where there is none. */
  revision: number;
}

/** A bucket of a NATS object store: its subjects, and calls that fail in time with a code. */
export interface NatsBucket {
  readonly stream: string;
  readonly timeoutMs: number;
  largestChunk(): Promise<number>;
  chunksOf(nuid: string): string;
  metaOf(name: string): string;
  unfinishedOf(nuid: string): string;
  /** Makes the bucket where it is not there. Throws CONFIG_INVALID too. */
  ensure(): Promise<void>;
  find(name: string): Promise<NamedObject>;
  publish(subject: string, payload: Payload, options: PublishOptions): Promise<{ seq: number }>;
  manage<R>(call: (manager: JetStreamManager) => Promise<R>): Promise<R>;
}

type PublishOptions = NonNullable<Parameters<JetStreamClient['publish']>[2]> & { msgID: string };

const CHUNK = 128 * 1024;
/** A chunk's headers count against the server's limit too. */
const HEADERS = 1024;
/** The same message, within the time that the stream knows its id again: a server that restarts costs no upload. */
const TRIES = 3;

export const natsBucket = (options: NatsBucketOptions): NatsBucket => {
  const { connect, bucket, replicas = 1, storage = 'file', maxBytes = -1, timeoutMs = 5_000 } = options;
  const stream = `OBJ_${bucket}`;
  const metaOf = (name: string): string => `$O.${bucket}.M.${encodedName(name)}`;
  const clients = new WeakMap<NatsConnection, JetStreamClient>();
  const client = async (): Promise<JetStreamClient> => {
    const connection = await connect();
    const js = clients.get(connection) ?? jetstream(connection, { timeout: timeoutMs });
    clients.set(connection, js);
    return js;
  };
  const managers = new WeakMap<JetStreamClient, Promise<JetStreamManager>>();
  const manager = async (): Promise<JetStreamManager> => {
    const js = await client();
    const managing = managers.get(js) ?? js.jetstreamManager();
    managers.set(js, managing);
    managing.catch(() => managers.delete(js)); // the next call asks again
    return managing;
  };
  const manage = async <R>(call: (manager: JetStreamManager) => Promise<R>): Promise<R> => {
    try {
      return await call(await manager());
    } catch (error) {
      throw coded(error, bucket);
    }
  };

  return {
    ...{ stream, timeoutMs, metaOf, manage },
    largestChunk: async () => Math.min(CHUNK, ((await connect()).info?.max_payload ?? CHUNK + HEADERS) - HEADERS),
    chunksOf: (nuid) => `$O.${bucket}.C.${nuid}`,
    unfinishedOf: (nuid) => `$O.${bucket}.C.unfinished.${nuid}`,
    ensure: () =>
      manage(async () => {
        await new Objm(await client()).create(bucket, {
          replicas,
          storage: storage === 'memory' ? StorageType.Memory : StorageType.File,
          max_bytes: maxBytes,
        });
      }),
    find: (name) =>
      manage(async ({ streams }) => {
        const kept = await streams.getMessage(stream, { last_by_subj: metaOf(name) }).catch(noBucketIsNothing);
        if (!kept) return { meta: null, revision: 0 };
        const meta = Meta.parse(kept.json());
        return { meta: meta.deleted ? null : meta, revision: kept.seq };
      }),
    publish: async (subject, payload, publishOptions) => {
      for (let tries = 1; ; tries++)
        try {
          return await (await client()).publish(subject, payload, { timeout: timeoutMs, ...publishOptions });
        } catch (error) {
          if (tries === TRIES || !(error instanceof TimeoutError)) throw coded(error, bucket);
        }
    },
  };
};

/** As every client of the object store writes names into subjects. */
const encodedName = (name: string): string =>
  Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');

const STREAM_NOT_FOUND = 10059;
const noBucketIsNothing = (error: unknown): null => {
  if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return null;
  throw error;
};

export const WRONG_LAST_SEQUENCE = 10071;
/** What asking again does not change. */
const REFUSED = new Set([
  10039, // JetStream is not enabled for the account
  10052, // the stream's configuration is not valid
  10074, // replicas where there is no cluster
]);

const coded = (error: unknown, bucket: string): unknown => {
  if (error instanceof CodedError) return error;
  if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return error; // its caller's matter
  const said = error instanceof Error ? error.message : String(error);
  const refused =
    (error instanceof Error && error.name === 'JetStreamNotEnabled') || // its class is not given out
    error instanceof PermissionViolationError ||
    error instanceof AuthorizationError ||
    (error instanceof JetStreamApiError && REFUSED.has(error.code));
  return refused
    ? new CodedError('CONFIG_INVALID', `NATS refuses the bucket "${bucket}" of blobs: ${said}.`, {
        cause: error,
        next: 'Check BLOBS_URL, NATS_REPLICAS, and what the user at NATS may do; JetStream has to be on.',
      })
    : new CodedError('SERVICE_UNAVAILABLE', `The blob store (NATS bucket "${bucket}") does not answer: ${said}.`, {
        cause: error,
      });
};
