import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

export type RerankerFault =
  | { kind: 'status'; status: number; retryAfterSeconds?: number; message?: string }
  | { kind: 'garbage' } // text that is no JSON
  | { kind: 'wrong-shape' } // JSON of another schema
  | { kind: 'too-few' } // a score too few
  | { kind: 'duplicate' } // the first text twice, the last not at all
  | { kind: 'unknown-index' } // a text that was not sent
  | { kind: 'no-numbers' } // null in the place of each score, as JSON writes NaN
  | { kind: 'hang' } // never answers
  | { kind: 'cut' }; // closes the connection instead of replying

export type RerankerShape = 'cohere' | 'jina' | 'tei';

export interface RerankerCall {
  shape: RerankerShape;
  query: string;
  texts: readonly string[];
  authorization: string | undefined;
  /** Whatever else the request says. */
  settings: Record<string, unknown>;
  /** The caller went away before it was answered. */
  gone: boolean;
}

export interface RerankerServer {
  /** "http://127.0.0.1:<port>", without the path of any shape. */
  readonly url: string;
  /** Every call so far, in the order of arrival, whatever was answered. */
  readonly calls: readonly RerankerCall[];
  /** What every call meets while it is set; `failNext` goes before it. */
  fault: RerankerFault | undefined;
  failNext(times: number, fault: RerankerFault): void;
  forget(): void;
  /** Refuses connections from now on. */
  close(): Promise<void>;
}

const Results = z.looseObject({ model: z.string(), query: z.string(), documents: z.array(z.string()) });
const Tei = z.looseObject({ query: z.string(), texts: z.array(z.string()) });

const SHAPES: Record<string, RerankerShape> = { '/v2/rerank': 'cohere', '/v1/rerank': 'jina', '/rerank': 'tei' };

/**
 * A stand-in for servers of rerankers, on 127.0.0.1: Cohere's /v2/rerank, Jina's /v1/rerank and /rerank of
 * text-embeddings-inference, best first as they answer. A score is the share of the question's words that a text has.
 */
export const startRerankerServer = async (): Promise<RerankerServer> => {
  let calls: RerankerCall[] = [];
  const faults: RerankerFault[] = [];

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const shape = SHAPES[request.url ?? ''];
    if (!shape || request.method !== 'POST') return send(response, 404, { error: 'there is no such path' });
    const { query, texts, settings } = read(shape, await json(request));
    const call = { shape, query, texts, settings, authorization: request.headers.authorization, gone: false };
    calls.push(call);
    response.once('close', () => (call.gone = !response.writableEnded));
    const fault = faults.shift() ?? server.fault;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'cut') return void response.destroy();
    if (fault?.kind === 'garbage') return void response.end('<html>Bad Gateway</html>');
    if (fault?.kind === 'wrong-shape') return send(response, 200, { data: [{ embedding: [] }] });
    if (fault?.kind === 'status') {
      if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', fault.retryAfterSeconds);
      return send(response, fault.status, { message: fault.message ?? `status ${fault.status}` });
    }
    send(response, 200, written(shape, spoilt(scored(query, texts), fault)));
  };

  const http = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => send(response, 400, { error: String(error) }));
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const address = http.address() as AddressInfo; // it listens on a port, not on a pipe
  const server: RerankerServer = {
    url: `http://127.0.0.1:${address.port}`,
    get calls() {
      return calls;
    },
    fault: undefined,
    failNext: (times, fault) => void faults.push(...Array.from({ length: times }, () => fault)),
    forget: () => void (calls = []),
    close: () =>
      new Promise<void>((closed) => {
        http.close(() => closed());
        http.closeAllConnections();
      }),
  };
  return server;
};

const read = (shape: RerankerShape, body: unknown) => {
  if (shape === 'tei') {
    const { query, texts, ...settings } = Tei.parse(body);
    return { query, texts, settings };
  }
  const { query, documents: texts, ...settings } = Results.parse(body);
  return { query, texts, settings };
};

type Scored = { index: number; score: number | null }[];

const scored = (query: string, texts: readonly string[]): Scored => {
  const words = wordsOf(query);
  return texts
    .map((text, index) => {
      const held = new Set(wordsOf(text));
      return { index, score: words.filter((word) => held.has(word)).length / Math.max(1, words.length) };
    })
    .sort((a, b) => b.score - a.score);
};

const spoilt = (scores: Scored, fault: RerankerFault | undefined): Scored => {
  const [first, ...rest] = scores;
  if (first === undefined) return scores;
  switch (fault?.kind) {
    case 'too-few':
      return rest;
    case 'duplicate':
      return [first, first, ...rest.slice(1)];
    case 'unknown-index':
      return [{ ...first, index: scores.length }, ...rest];
    case 'no-numbers':
      return scores.map(({ index }) => ({ index, score: null }));
    default:
      return scores;
  }
};

const written = (shape: RerankerShape, scores: Scored): object => {
  if (shape === 'tei') return scores;
  const results = scores.map(({ index, score }) => ({ index, relevance_score: score }));
  return shape === 'cohere'
    ? { id: 'stand-in', results, meta: { billed_units: { search_units: 1 } } }
    : { model: 'stand-in', object: 'list', usage: { total_tokens: 1 }, results };
};

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const send = (response: ServerResponse, status: number, body: object): void => {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
};
