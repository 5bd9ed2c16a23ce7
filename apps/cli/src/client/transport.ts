import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { CliError, Stopped } from '../cli-error.js';
import { errorCodeOf } from '../error-code-of.js';
import { EXIT } from '../exit-codes.js';
import type { ServerPlace } from './find-server.js';

export interface Asked {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the server's address: "api/v1/documents". */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Readable;
  /** Of silence. */
  timeoutMs?: number;
}

/** Sends a request; the answer's body is still to be read. Throws NO_SERVER, CONNECTION_LOST, TIMED_OUT or Stopped. */
export type Transport = (asked: Asked) => Promise<IncomingMessage>;

/** A little more than the server gives its slowest operations. */
const SILENCE_MS = 130_000;
const ABSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']);
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

export const transportTo = (place: ServerPlace, signal: AbortSignal): Transport => {
  const base = new URL(`${place.url}/`);
  const scheme = base.protocol === 'https:' ? https : http;
  const agent = new scheme.Agent({ keepAlive: true });
  const own = place.key === undefined ? {} : { authorization: `Bearer ${place.key}` };
  return ({ method, path, headers, body, timeoutMs = SILENCE_MS }) =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(connectionFailure(error, place, signal));
      if (signal.aborted) return fail(signal.reason);
      const options = { method, agent, signal, headers: { accept: 'application/json', ...own, ...headers } };
      const request = scheme.request(new URL(path, base), options, (answer) => {
        if (typeof body === 'object') stopSending(body, request, answer);
        resolve(answer);
      });
      request.on('error', fail);
      request.setTimeout(timeoutMs, () => request.destroy(timedOut(timeoutMs)));
      if (typeof body === 'object') {
        body.on('error', (error) => request.destroy(error));
        body.pipe(request);
      } else request.end(body);
    });
};

/** An answer before the end of the body is a refusal: what is left of it is not sent. */
const stopSending = (body: Readable, request: http.ClientRequest, answer: IncomingMessage): void => {
  if (request.writableFinished) return;
  body.unpipe(request);
  body.destroy();
  answer.once('close', () => request.destroy());
};

const timedOut = (ms: number): CliError =>
  new CliError(
    'TIMED_OUT',
    `The server was silent for ${ms / 1000} s.`,
    'Look at its log; try again.',
    EXIT.failed,
    true,
  );

/** What an error of a connection means to a person; others, such as a file's, stay as they are. */
export const connectionFailure = (error: unknown, place: ServerPlace, signal: AbortSignal): unknown => {
  if (signal.aborted) return new Stopped();
  const code = errorCodeOf(error);
  if (code !== undefined && ABSENT.has(code)) return place.absent;
  if (code !== undefined && LOST.has(code))
    return new CliError(
      'CONNECTION_LOST',
      `The connection to ${place.url} broke off.`,
      'See whether the server still runs, then run the same command again.',
      EXIT.noServer,
      true,
    );
  return error;
};
