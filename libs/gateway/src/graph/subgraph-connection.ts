import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { CodedError } from '@postmaster/contracts';

export interface SubgraphLimits {
  /** Name lookup, TCP and TLS together. */
  connectTimeoutMs: number;
  /** From sending to the last byte of the answer. */
  responseTimeoutMs: number;
  maxResponseBytes: number;
}

export const SUBGRAPH_LIMITS: SubgraphLimits = {
  connectTimeoutMs: 2_000,
  responseTimeoutMs: 30_000,
  maxResponseBytes: 32 * 1024 * 1024,
};

export interface Post {
  body: string;
  /** All that is sent, besides what HTTP itself needs. */
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Over a new connection: one that was kept may be closed by the other side at this very moment. */
  alone?: boolean;
  responseTimeoutMs?: number;
}

/** Connections to one subgraph. */
export interface SubgraphConnection {
  /** Throws TIMED_OUT where the answer takes too long, SERVICE_UNAVAILABLE where it is too large; else what broke. */
  post(post: Post): Promise<{ status: number; body: string }>;
  /** Ends the connections that wait for use. */
  close(): void;
}

/** An idle connection is let go after this, or earlier where the other side says so. */
const IDLE_MS = 30_000;
/** No connection is used longer than this: new ones reach replicas that have come since. */
const LIVES_MS = 30_000;

export const subgraphConnection = (name: string, url: string, limits: SubgraphLimits): SubgraphConnection => {
  const secure = new URL(url).protocol === 'https:';
  const agent = keeping(secure ? new HttpsAgent(KEEP) : new HttpAgent(KEEP));
  return {
    close: () => agent.destroy(),
    post: ({ body, headers, signal, alone = false, responseTimeoutMs = limits.responseTimeoutMs }) =>
      new Promise((resolve, reject) => {
        const sent = (secure ? httpsRequest : httpRequest)(url, {
          method: 'POST',
          agent: alone ? false : agent,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          signal,
        });
        const end = () => {
          clearTimeout(late);
          clearTimeout(connecting);
        };
        const fail = (error: Error) => {
          end();
          reject(error);
          sent.destroy(); // what it says to that no longer matters
        };
        let connecting: NodeJS.Timeout | undefined;
        const late = setTimeout(
          () => fail(new CodedError('TIMED_OUT', `The service "${name}" took longer than allowed.`)),
          responseTimeoutMs,
        );
        sent.once('socket', (socket) => {
          if (!socket.connecting) return;
          const refuse = () => fail(new Error(`no connection within ${limits.connectTimeoutMs} ms`));
          connecting = setTimeout(refuse, limits.connectTimeoutMs);
          socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
        });
        sent.on('error', fail);
        sent.once('response', (response) => {
          response.on('error', fail);
          readBody(name, response, limits.maxResponseBytes).then((text) => {
            end();
            resolve({ status: response.statusCode ?? 0, body: text });
          }, fail);
        });
        sent.end(body);
      }),
  };
};

const KEEP = { keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS } as const;

const born = new WeakMap<object, number>();

/** Node asks the agent whether to keep a connection: not one that is too old. */
const keeping = <A extends HttpAgent>(agent: A): A => {
  const byNode = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown; // documented to tell; typed void
  const inAge = (socket: Duplex): boolean => {
    const since = born.get(socket) ?? performance.now();
    born.set(socket, since);
    return performance.now() - since < LIVES_MS && byNode(socket) === true;
  };
  return Object.assign(agent, { keepSocketAlive: inAge });
};

const readBody = async (name: string, response: IncomingMessage, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new CodedError('SERVICE_UNAVAILABLE', `The service "${name}" answered with too much.`, {
        next: 'Ask for less at once.',
        cause: new Error(`the answer is larger than ${maxBytes} bytes`),
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
