import { isGuarded } from './public-fetch.js';
import { type FailureKind, ModelFailure, systemCode } from './model-failure.js';

export interface FetchFacts {
  /** Names the model and its address in messages. */
  server: string;
  /** Ends every request and the reading of every reply. */
  signal: AbortSignal;
  /** Taken out of whatever the server says. */
  secret?: string;
  /** The global one unless told. */
  through?: typeof fetch;
}

const LONGEST_DETAIL = 300;

/**
 * A fetch for the client libraries, all of whose failures are ModelFailures: so retries, Retry-After and messages are
 * ours, the same for each library, and an abort ends this call alone.
 */
export const modelFetch =
  ({ server, signal, secret, through = fetch }: FetchFacts): typeof fetch =>
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
    if (response.ok) return response;
    const said = await detail(response, secret);
    throw new ModelFailure(kindOf(response.status), `${server} answered ${response.status}${said && `: ${said}`}`, {
      retryAfter: retryAfter(response.headers.get('retry-after')),
    });
  };

const kindOf = (status: number): FailureKind => {
  if (status === 429 || status === 529) return 'busy'; // 529: Anthropic's "overloaded"
  if (status === 400 || status === 422 || status === 501) return 'unable';
  return status >= 500 || status === 408 || status === 425 ? 'down' : 'refused';
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

/** The `error` or `error.message` of a JSON body, which both dialects have; else the body, unless it is a page. */
const messageIn = (body: string): string => {
  try {
    const { error } = JSON.parse(body) as { error?: string | { message?: string } }; // any other type prints as it is
    return String((typeof error === 'object' ? error.message : error) ?? '');
  } catch {
    return body.trimStart().startsWith('<') ? '' : body;
  }
};
