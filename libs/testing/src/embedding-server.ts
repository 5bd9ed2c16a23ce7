import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { wordVector } from './word-vector.js';

export type EmbeddingFault =
  | { kind: 'status'; status: number; retryAfterSeconds?: number; message?: string }
  | { kind: 'garbage' } // text that is no JSON
  | { kind: 'wrong-shape' } // JSON of another schema
  | { kind: 'wrong-dimension' } // one number too many in each vector
  | { kind: 'wrong-count' } // a vector too few
  | { kind: 'no-numbers' } // null in the place of each vector's first number, as JSON writes NaN
  | { kind: 'hang' } // never answers
  | { kind: 'cut' }; // closes the connection instead of replying

/** May be changed while the server runs. */
export interface EmbeddingBehaviour {
  latencyMs: number;
  dimension: number;
  /** OpenAI's vectors as base64 of little-endian floats, which some servers send though floats were asked for. */
  base64: boolean;
  /** Sends OpenAI's vectors in another order than the texts', each with its `index`. */
  shuffled: boolean;
  /** Speaks Ollama's older way alone. */
  older: boolean;
  /** What every call meets while it is set; `failNext` goes before it. */
  fault: EmbeddingFault | undefined;
}

export interface EmbeddingCall {
  path: string;
  model: string;
  texts: readonly string[];
  authorization: string | undefined;
  /** Whatever else the request says. */
  settings: Record<string, unknown>;
}

export interface EmbeddingServer {
  /** "http://127.0.0.1:<port>": Ollama's base; OpenAI's is this with /v1. */
  readonly url: string;
  readonly behaviour: EmbeddingBehaviour;
  /** Every call so far, in the order of arrival, whatever was answered. */
  readonly calls: readonly EmbeddingCall[];
  /** The most calls that ran at once. */
  readonly peak: number;
  failNext(times: number, fault: EmbeddingFault): void;
  /** Refuses connections from now on. */
  close(): Promise<void>;
}

const Request = z
  .looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(z.string())]).optional(),
    prompt: z.string().optional(),
  })
  .transform(({ prompt = '', input = prompt, ...more }) => ({ ...more, input }));

/**
 * A stand-in for an embeddings server, on 127.0.0.1: OpenAI's /v1/embeddings, Ollama's /api/embed and its older
 * /api/embeddings. Its vectors are
 * made of the words, so that texts that share words are near each other; they are not of unit length.
 */
export const startEmbeddingServer = async (
  options: Partial<EmbeddingBehaviour> & { port?: number } = {},
): Promise<EmbeddingServer> => {
  const { port = 0, ...chosen } = options;
  const behaviour: EmbeddingBehaviour = {
    ...{ latencyMs: 0, dimension: 32, base64: false, shuffled: false, older: false, fault: undefined },
    ...chosen,
  };
  const calls: EmbeddingCall[] = [];
  const faults: EmbeddingFault[] = [];
  let running = 0;
  let peak = 0;

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const write = (behaviour.older ? OLDER_PATHS : PATHS)[request.url ?? ''];
    if (!write || request.method !== 'POST') return send(response, 404, { error: 'there is no such path' });
    const { model, input, ...settings } = Request.parse(await json(request));
    const texts = typeof input === 'string' ? [input] : input;
    calls.push({ path: request.url!, model, texts, authorization: request.headers.authorization, settings });
    const fault = faults.shift() ?? behaviour.fault;
    await new Promise((wake) => setTimeout(wake, behaviour.latencyMs));
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'cut') return void response.destroy();
    if (fault?.kind === 'garbage') return void response.end('<html>Bad Gateway</html>');
    if (fault?.kind === 'wrong-shape') return send(response, 200, { vectors: 'none' });
    if (fault?.kind === 'status') {
      if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', fault.retryAfterSeconds);
      return send(response, fault.status, { error: { message: fault.message ?? `status ${fault.status}` } });
    }
    const dimension = behaviour.dimension + (fault?.kind === 'wrong-dimension' ? 1 : 0);
    const vectors: (number | null)[][] = texts.map((text) => wordVector(text, dimension));
    if (fault?.kind === 'wrong-count') vectors.pop();
    if (fault?.kind === 'no-numbers') for (const vector of vectors) vector[0] = null;
    send(response, 200, write(vectors, behaviour));
  };

  const server = createServer((request, response) => {
    peak = Math.max(peak, ++running);
    response.once('close', () => running--);
    reply(request, response).catch((error: unknown) => send(response, 400, { error: String(error) }));
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const address = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${address.port}`,
    behaviour,
    calls,
    get peak() {
      return peak;
    },
    failNext: (times, fault) => void faults.push(...Array.from({ length: times }, () => fault)),
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};

type Vectors = readonly (readonly (number | null)[])[];

const openAi = (vectors: Vectors, { base64, shuffled }: EmbeddingBehaviour): object => {
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: base64
      ? Buffer.from(Float32Array.from(vector, (value) => value ?? NaN).buffer).toString('base64')
      : vector,
  }));
  return { object: 'list', data: shuffled ? data.reverse() : data, usage: { prompt_tokens: 1, total_tokens: 1 } };
};

const ollama = (embeddings: Vectors): object => ({ embeddings, total_duration: 1 });
const olderOllama = ([embedding]: Vectors): object => ({ embedding });

const OLDER_PATHS: Record<string, (vectors: Vectors, behaviour: EmbeddingBehaviour) => object> = {
  '/api/embeddings': olderOllama,
};
const PATHS: typeof OLDER_PATHS = { ...OLDER_PATHS, '/v1/embeddings': openAi, '/api/embed': ollama };

const send = (response: ServerResponse, status: number, body: object): void => {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
};
