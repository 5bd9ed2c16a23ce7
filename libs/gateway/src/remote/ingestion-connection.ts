import type { Readable } from 'node:stream';
import { CODES, CodedError, type ErrorCode, type Identity, type IdentitySeal } from '@postmaster/contracts';
import { traceHeaders } from '@postmaster/service';
import { Agent, type Dispatcher, errors } from 'undici';
import { z } from 'zod';

export interface RemoteTimeouts {
  /** Name lookup, TCP and TLS together. */
  connectMs: number;
  /** From the last byte sent to the first of the answer; also how long the service may take no bytes of an upload. */
  answerMs: number;
  /** Between two pieces of an answer. */
  idleMs: number;
}

export const REMOTE_TIMEOUTS: RemoteTimeouts = { connectMs: 2_000, answerMs: 30_000, idleMs: 30_000 };

export interface RemoteOptions {
  /** Of the ingestion service: "http://ingestion:4000". */
  url: string;
  seal: IdentitySeal;
  timeouts?: Partial<RemoteTimeouts>;
}

/** What ties a request to the one that it is part of. */
export interface CallFacts {
  requestId?: string;
}

export interface Asked extends CallFacts {
  method: 'GET' | 'POST';
  /** Below /internal/documents. */
  path: string;
  headers?: Record<string, string>;
  body?: () => Readable;
}

/** Kept connections to the ingestion service. */
export interface IngestionConnection {
  /**
   * Resolves with the head of a good answer. Throws the service's own coded error; TIMED_OUT where it takes too long,
   * SERVICE_UNAVAILABLE where it does not answer or does not believe us.
   */
  ask(identity: Identity, asked: Asked): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** New connections reach replicas that have come since. */
const LIVES_MS = 30_000;
const AGAIN_AFTER_MS = 100;

export const ingestionConnection = ({ url, seal, timeouts }: RemoteOptions): IngestionConnection => {
  const { connectMs, answerMs, idleMs } = { ...REMOTE_TIMEOUTS, ...timeouts };
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: answerMs,
    bodyTimeout: idleMs,
    clientTtl: LIVES_MS,
  });

  const send = async (identity: Identity, { method, path, headers, body, requestId }: Asked) =>
    agent.request({
      origin: new URL(url).origin,
      path: `/internal/documents${path}`,
      method,
      headers: {
        ...traceHeaders(),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        ...headers,
        authorization: `Bearer ${await seal.sign(identity)}`,
      },
      body: body?.(),
    });

  return {
    ask: async (identity, asked) => {
      const answer = await again(() => send(identity, asked), asked.method === 'GET').catch(rethrown);
      if (answer.statusCode < 300) return answer;
      throw await failureOf(answer);
    },
    close: () => agent.close(),
  };
};

/**
 * A connection that was refused, or cut before an answer, is worth another one: another replica may take it. An upload
 * goes once more only if it never got a connection.
 */
const again = async <R>(send: () => Promise<R>, harmless: boolean): Promise<R> => {
  try {
    return await send();
  } catch (error) {
    const code = codeOf(error);
    if (!UNCONNECTED.has(code) && !(harmless && CUT.has(code))) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    return send();
  }
};

const UNCONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOTFOUND']);
const CUT = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code);

/** What went wrong on the way, coded. */
export const wayFailure = (error: unknown): CodedError => {
  if (error instanceof CodedError) return error;
  const late = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  return late
    ? new CodedError('TIMED_OUT', 'The service "ingestion" took longer than allowed.', { cause: error })
    : unavailable('does not answer', error);
};

const rethrown = (error: unknown): never => {
  throw wayFailure(error);
};

const unavailable = (what: string, cause: unknown): CodedError =>
  new CodedError('SERVICE_UNAVAILABLE', `The service "ingestion" ${what}.`, { cause });

const isCode = (code: string): code is ErrorCode => Object.hasOwn(CODES, code);
const Failed = z.object({
  code: z.string().refine(isCode),
  message: z.string(),
  next: z.string().optional(),
  field: z.string().optional(),
  retryAfter: z.number().optional(),
});

const failureOf = async ({ statusCode, body }: Dispatcher.ResponseData): Promise<CodedError> => {
  const said = Failed.safeParse(await body.json().catch(() => undefined));
  if (!said.success) return unavailable('does not answer as it should', new Error(`it answered with ${statusCode}`));
  const { code, message, ...facts } = said.data;
  if (code === 'IDENTITY_INVALID')
    return unavailable('refuses the internal token', new Error('do both share a secret, and a clock?'));
  return new CodedError(code, message, facts);
};
