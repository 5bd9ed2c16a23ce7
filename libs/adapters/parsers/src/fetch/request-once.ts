import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { CodedError } from '@postmaster/contracts';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { givenOnly, notPublic, refuseUngiven } from './given-addresses.js';

/** Azure's hosts answer their guests there, with their settings; by its form it is public. */
const METADATA = ['168.63.129.16'];

export interface RequestOptions {
  allowPrivate?: boolean | readonly string[];
  lookup?: LookupFunction;
  timeoutMs: number;
  signal: AbortSignal;
}

/** One GET without following redirects, on a connection of its own whose address is checked when its name is resolved. */
export const requestOnce = (url: URL, options: RequestOptions): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const { allowPrivate = false } = options;
    const isTrusted = typeof allowPrivate === 'boolean' ? allowPrivate : allowPrivate.includes(url.hostname);
    if (!isTrusted) refuseUngiven(url);
    const lookup = isTrusted ? options.lookup : givenOnly(options.lookup);
    const filter = isTrusted ? { allowPrivateIPAddress: true } : { denyIPAddressList: METADATA };
    const agent = isSecure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter);
    (isSecure ? https : http)
      .get(url, {
        agent,
        signal: options.signal,
        headers: { 'user-agent': 'postmaster', accept: '*/*', 'accept-encoding': 'identity' },
        ...(lookup && { lookup }),
      })
      .once('response', resolve)
      .once('error', (error) => reject(unreachable(error, url, options)));
  });

/** What a network error means to who gave the address. An abort by the caller stays what it is. */
export const unreachable = (
  error: unknown,
  url: URL,
  { timeoutMs, signal }: Pick<RequestOptions, 'timeoutMs' | 'signal'>,
): unknown => {
  if (error instanceof CodedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/is not allowed\. Because/i.test(message)) return notPublic(url.host);
  const reason = signal.reason as { name?: string } | undefined; // whatever the caller aborts with
  if (signal.aborted && reason?.name !== 'TimeoutError') return reason;
  const why = signal.aborted
    ? `took longer than ${timeoutMs / 1000} s`
    : `can't be reached (${codeOf(error) ?? message})`;
  return new CodedError('URL_UNREACHABLE', `${url.host} ${why}.`, { field: 'url' });
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined; // system errors carry one
