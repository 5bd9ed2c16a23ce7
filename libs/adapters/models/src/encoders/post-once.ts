import { CodedError } from '@postmaster/contracts';
import { z } from 'zod';
import type { ModelService } from '../model-service.js';

export interface Endpoint {
  service: ModelService;
  url: string;
  apiKey?: string;
}

/**
 * Posts a JSON text and gives the parsed answer, with no second try. Throws the service's `unreachable` for what may pass (no
 * answer in time, a broken connection, 408, 425, 429 and 5xx), with `retryAfter` where the service names it, and
 * its `refused` for the rest. The key is in no message.
 */
export const postOnce = async (
  { service, url, apiKey }: Endpoint,
  body: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<unknown> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { host } = new URL(url);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (cause) {
    signal.throwIfAborted();
    const why = timeout.aborted ? `did not answer within ${timeoutMs / 1000} s` : `can’t be reached${reasonOf(cause)}`;
    throw new CodedError(service.unreachable, `The ${service.name} at ${host} ${why}.`);
  }
  if (!response.ok) throw refusal(service, host, response, saidIn(text, apiKey));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CodedError(service.refused, `The ${service.name} at ${host} should answer with JSON but sent something else.`, {
      next: `Check that ${service.variable} is the address of the service itself.`,
    });
  }
};

const PASSING = new Set([408, 425, 429]);
/** Some servers say so with status 500, which would be tried for ever. */
const TOO_LONG = /too (large|long)|context (length|size)|exceed/i;

const refusal = (service: ModelService, host: string, { status, headers }: Response, said: string): CodedError =>
  PASSING.has(status) || (status >= 500 && !TOO_LONG.test(said))
    ? new CodedError(service.unreachable, `The ${service.name} at ${host} answers with status ${status}${said}.`, {
        retryAfter: secondsOf(headers.get('retry-after')),
      })
    : new CodedError(service.refused, `The ${service.name} at ${host} refuses the call with status ${status}${said}.`);

/** Seconds from now, of a Retry-After in seconds or as a date. */
const secondsOf = (header: string | null): number | undefined => {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
};

/** The service's own words, short, and without the key, which some services repeat in part. */
const saidIn = (text: string, apiKey: string | undefined): string => {
  const said = text.match(/"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.){1,200})/)?.[1];
  if (!said || (apiKey && (said.includes(apiKey.slice(0, 4)) || said.includes(apiKey.slice(-4))))) return '';
  return ` (${said.replaceAll('\\"', "'")})`;
};

/** What fetch hides one level down: ECONNREFUSED and its like. */
const Unreachable = z.object({ cause: z.object({ code: z.string() }) });

const reasonOf = (error: unknown): string => {
  const { data } = Unreachable.safeParse(error);
  return data ? ` (${data.cause.code})` : '';
};
