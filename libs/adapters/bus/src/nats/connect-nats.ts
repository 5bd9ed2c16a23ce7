import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  connect,
  type ConnectionOptions,
  credsAuthenticator,
  errors,
  type NatsConnection,
} from '@nats-io/transport-node';
import { CodedError, type Failure } from '@postmaster/contracts';
import { backoffMs, pause } from './backoff.js';

export type NatsCredentials = { user: string; password: string } | { token: string } | { credsFile: string };

export interface NatsOptions {
  /** nats://host:port or tls://…, several with commas; a user and password in it count as credentials. */
  url: string;
  /** As the server's monitoring names this process. */
  name: string;
  credentials?: NatsCredentials;
  /** Between pings, 4,000 unless told; a connection is given up when three of them pass without an answer. */
  pingMs?: number;
  /** Once for every time it is lost and comes back: not for every try. */
  onLost?: (why: Failure) => void;
  onConnected?: (server: string) => void;
  /** What the server complains of on a connection that stands (a subject that is not allowed, a slow reader). */
  onError?: (error: unknown) => void;
}

/** A connection that is there again by itself when it was lost. */
export interface Nats {
  /** Why there is none now; null while it stands. */
  readonly failure: Failure | null;
  /** Aborted when the connection that stands now is lost. */
  readonly session: AbortSignal;
  /** The connection as soon as it stands; undefined when it does not within `ms`. */
  ready(ms: number, signal?: AbortSignal): Promise<NatsConnection | undefined>;
  /** Called at once where it stands, and each time it is back; `fresh`: what was subscribed to before is not any more. */
  onReady(act: (connection: NatsConnection, fresh: boolean) => void): () => void;
  /** Resolves when it ended for good: with BUS_REFUSED where the credentials were refused, undefined after `drain`. */
  readonly closed: Promise<CodedError | undefined>;
  /** Sends what is written, then closes. */
  drain(): Promise<void>;
}

const RECONNECT_MS = { first: 100, most: 3_000 };
const CONNECT_TIMEOUT_MS = 5_000;
const waitBefore = (tries: number): number => backoffMs(tries, RECONNECT_MS.first, RECONNECT_MS.most);

/**
 * Connects, and stays connected: tries for ever, with backoff and jitter. Returns after the first try: a server that is
 * not there is told by `onLost`, and looked for on. Throws BUS_REFUSED for credentials that it does not accept.
 */
export const connectNats = async (options: NatsOptions): Promise<Nats> => {
  const { onLost, onConnected, onError } = options;
  const backoff = { tries: 0, ms: 0 };
  const config = connectionOptions(options, backoff);
  const ending = new AbortController();
  const acts = new Set<(connection: NatsConnection, fresh: boolean) => void>();
  let connection: NatsConnection | undefined;
  let session = AbortSignal.abort();
  let loseSession = (): void => {};
  let failure: Failure | null = unreachable(options.url, 'not tried yet').toFailure();
  let tellReady: (() => void)[] = [];
  let tellClosed: (why: CodedError | undefined) => void = () => {};
  const closed = new Promise<CodedError | undefined>((resolve) => (tellClosed = resolve));

  const stands = (made: NatsConnection, fresh: boolean): void => {
    const controller = new AbortController();
    ({ signal: session } = controller);
    setMaxListeners(0, session); // one for each question under way
    loseSession = () => controller.abort();
    connection = made;
    failure = null;
    Object.assign(backoff, { tries: 0, ms: 0 });
    onConnected?.(made.getServer());
    for (const act of acts) act(made, fresh);
    for (const tell of tellReady) tell();
    tellReady = [];
  };
  const lost = (why: CodedError): void => {
    const first = failure === null || connection === undefined;
    failure = why.toFailure();
    loseSession();
    if (first && !ending.signal.aborted) onLost?.(failure);
  };
  const refuse = (why: CodedError): CodedError => {
    lost(why);
    ending.abort();
    tellClosed(why);
    return why;
  };

  const watch = async (made: NatsConnection): Promise<void> => {
    for await (const status of made.status()) {
      if (status.type === 'disconnect') lost(unreachable(options.url, 'the connection broke'));
      else if (status.type === 'reconnect') stands(made, false);
      else if (status.type === 'reconnecting') backoff.ms = waitBefore(backoff.tries++);
      else if (status.type === 'error') onError?.(status.error);
      else if (status.type === 'slowConsumer') onError?.(new Error(`${status.pending} messages wait to be read.`));
    }
  };

  const hold = (made: NatsConnection): void => {
    stands(made, true);
    watch(made).catch((error: unknown) => onError?.(error));
    void made.closed().then((error) => {
      connection = undefined;
      if (isRefusal(error)) refuse(refused(options.url, error));
      else if (!ending.signal.aborted) void keepTrying(error).catch(() => undefined); // told by `closed`
    });
  };

  /** Ends with the connection that it made; throws where it is refused. */
  const keepTrying = async (cause?: unknown, firstTried?: () => void): Promise<void> => {
    if (cause) lost(unreachable(options.url, cause));
    for (let tries = 0; !ending.signal.aborted; tries++) {
      try {
        const made = await connect(config);
        if (ending.signal.aborted) return await made.close();
        hold(made);
        return;
      } catch (error) {
        if (isRefusal(error)) throw refuse(refused(options.url, error));
        if (tries === 0) lost(unreachable(options.url, error));
        firstTried?.();
        await pause(waitBefore(tries), ending.signal);
      }
    }
  };

  await new Promise<void>((resolve, reject) => {
    keepTrying(undefined, resolve).then(resolve, reject);
  });

  return {
    get failure() {
      return failure;
    },
    get session() {
      return session;
    },
    ready: async (ms, signal) => {
      if (failure === null) return connection;
      const waiting = new AbortController();
      const end = (): void => waiting.abort();
      tellReady.push(end);
      signal?.addEventListener('abort', end, { once: true });
      if (signal?.aborted) end(); // and not where it ended for good: whoever asks in a loop would spin
      await pause(ms, waiting.signal);
      signal?.removeEventListener('abort', end);
      tellReady = tellReady.filter((one) => one !== end);
      return failure === null ? connection : undefined;
    },
    onReady: (act) => {
      acts.add(act);
      if (failure === null && connection) act(connection, true);
      return () => void acts.delete(act);
    },
    closed,
    drain: async () => {
      ending.abort();
      if (failure === null) await connection?.drain();
      else await connection?.close();
      tellClosed(undefined);
    },
  };
};

const connectionOptions = (
  { url, name, credentials, pingMs = 4_000 }: NatsOptions,
  backoff: { ms: number },
): ConnectionOptions => {
  const urls = url.split(',').map((one) => parse(one.trim()));
  const inUrl = urls.find(({ username }) => username);
  return {
    name,
    servers: urls.map(({ host }) => host),
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
    ...(inUrl ? { user: decodeURIComponent(inUrl.username), pass: decodeURIComponent(inUrl.password) } : {}),
    ...(credentials ? loginOf(credentials) : {}),
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: pingMs,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: () => backoff.ms, // asked several times between two tries, and has to stay the same
  };
};

const parse = (url: string): URL => {
  try {
    return new URL(url.includes('://') ? url : `nats://${url}`);
  } catch (cause) {
    throw new CodedError('CONFIG_INVALID', 'NATS_URL should be nats://<host>:<port>, several with commas.', { cause });
  }
};

const loginOf = (credentials: NatsCredentials): ConnectionOptions => {
  if ('user' in credentials) return { user: credentials.user, pass: credentials.password };
  if ('token' in credentials) return { token: credentials.token };
  return { authenticator: credsAuthenticator(readFileSync(credentials.credsFile)) };
};

const isRefusal = (error: unknown): boolean =>
  error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

/** Without what the URL holds of credentials. */
const placesOf = (url: string): string =>
  url
    .split(',')
    .map((one) => parse(one.trim()).host)
    .join(', ');

const refused = (url: string, cause: unknown): CodedError =>
  new CodedError('BUS_REFUSED', `NATS at ${placesOf(url)} refuses the credentials.`, { cause });

const unreachable = (url: string, cause: unknown): CodedError =>
  new CodedError(
    'SERVICE_UNAVAILABLE',
    `NATS at ${placesOf(url)} does not answer: ${cause instanceof Error ? cause.message : String(cause)}.`,
    { next: 'Check NATS_URL and that NATS runs; work goes on by itself when it is back.', cause },
  );

/** What was asked over a connection that is lost is not answered any more: then this throws SERVICE_UNAVAILABLE. */
export const inSession = <R>(session: AbortSignal, work: Promise<R>): Promise<R> =>
  new Promise((resolve, reject) => {
    const lose = (): void => reject(new CodedError('SERVICE_UNAVAILABLE', 'The connection to NATS was lost.'));
    if (session.aborted) lose();
    session.addEventListener('abort', lose, { once: true });
    work.then(resolve, reject).finally(() => session.removeEventListener('abort', lose));
  });
