import { isGuarded } from './public-fetch.js';
import { patientFetch } from './patient-fetch.js';
import { type FailureKind, ModelFailure, systemCode } from './model-failure.js';

export interface FetchFacts {
  /** Names the model and its address in messages. */
  server: string;
  /** Ends every request and the reading of every reply. */
  signal: AbortSignal;
  /** Taken out of whatever the server says. */
  secret?: string;
  /** `patientFetch` unless told. */
  through?: typeof fetch;
}

const LONGEST_DETAIL = 300;
/** No reply that is wanted comes near it. */
const LARGEST_REPLY = 8 * 1024 * 1024;

/**
 * A fetch for the client libraries, all of whose failures are ModelFailures: so retries, Retry-After and messages are
 * ours, the same for each library, and an abort ends this call alone.
 */
export const modelFetch =
  ({ server, signal, secret, through = patientFetch }: FetchFacts): typeof fetch =>
  async (input, init) => {
    const both = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
    let response: Response;
    try {
      response = await through(input, { ...init, signal: both });
    } catch (error) {
      signal.throwIfAborted();
      if (isGuarded(error))
        throw new ModelFailure('refused', `${server} is not at an address of the public internet.`);
      const cause = systemCode(error);
      throw new ModelFailure('down', `${server} does not answer${cause ? ` (${cause})` : ''}.`);
    }
    if (response.ok) return bounded(response, server);
    const said = await detail(response, secret);
    throw new ModelFailure(kindOf(response.status, said), `${server} answered ${response.status}${said && `: ${said}`}`, {
      retryAfter: retryAfter(response.headers.get('retry-after')),
    });
  };

/** Of a text that the model's window does not hold; some servers say so with status 500. */
const LONG =
  /context[_ ](length|size|window)|prompt is too long|(tokens?|input)\b.{0,60}\bexceeds?\b|exceeds? .{0,30}\b(context|tokens)/i;
/** Google and others say so with status 400. */
const KEY = /\bapi[ _-]?key\b|credit balance|permission/i;
const FILTERED = /content[ _](filter|management|policy)|safety system/i;

const kindOf = (status: number, said: string): FailureKind => {
  if (status === 429 || status === 529) return 'busy'; // 529: Anthropic's "overloaded"
  if (status === 413 || ((status === 400 || status === 422 || status === 500) && LONG.test(said))) return 'long';
  if (status === 400 && FILTERED.test(said)) return 'declined';
  if (status === 400 && KEY.test(said)) return 'refused';
  if (status === 400 || status === 422 || status === 501) return 'unable';
  return status >= 500 || status === 408 || status === 425 ? 'down' : 'refused';
};

/** A reply without end is malformed, and not read on. */
const bounded = (response: Response, server: string): Response => {
  let left = LARGEST_REPLY;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, stream) => {
      left -= bytes.byteLength;
      if (left < 0) stream.error(new ModelFailure('malformed', `${server} answered with more than 8 MB.`));
      else stream.enqueue(bytes);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(count), { status, statusText, headers });
};

/** Seconds, from a number of them or a date (RFC 9110, 10.2.3). */
const retryAfter = (header: string | null): number | undefined => {
  if (!header) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

const detail = async (response: Response, secret: string | undefined): Promise<string> => {
  const body = await response.text().catch(() => '');
  const said = messageIn(body).replace(/\s+/gu, ' ').trim();
  const safe = secret ? said.replaceAll(secret, '…') : said;
  return safe.length > LONGEST_DETAIL ? `${safe.slice(0, LONGEST_DETAIL)}…` : safe;
};

/** The `error` or `error.message` of a JSON body, which all dialects have; else the body, unless it is a page. */
const messageIn = (body: string): string => {
  try {
    const { error } = JSON.parse(body) as { error?: string | { message?: string } }; // any other type prints as it is
    return String((typeof error === 'object' ? error.message : error) ?? '');
  } catch {
    return body.trimStart().startsWith('<') ? '' : body;
  }
};
