import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { CodedError } from '@postmaster/contracts';
import { documentName } from './document-name.js';
import { readBody } from './read-body.js';
import { requestOnce } from './request-once.js';
import { tooLarge } from './too-large.js';

export interface FetchOptions {
  /** Of the document as it is stored, after any decompression. */
  maxBytes: number;
  /** From the call to the last byte, redirects included. */
  timeoutMs: number;
  /** Private networks too: all of them, or these hosts in them (as the address writes them). None where absent. */
  allowPrivate?: boolean | readonly string[];
  /** How names become addresses; the system's way where absent. What it gives is checked like any address. */
  lookup?: LookupFunction;
}

export interface FetchedDocument {
  /** The document's bytes. Fails with TOO_LARGE or URL_UNREACHABLE where reading them does. */
  stream: Readable;
  /** As the server says, parameters included: a charset there counts for text. Null where it says nothing. */
  contentType: string | null;
  /** From the server's suggestion, else the last part of the address. */
  name: string;
  /** After redirects. */
  finalUrl: string;
}

const MAX_REDIRECTS = 5;

/**
 * Fetches a document over http(s). Every address on the way, redirects included, is checked after its name is resolved,
 * so that no request reaches a private network. Throws URL_REFUSED, URL_UNREACHABLE or TOO_LARGE.
 */
export const fetchDocument =
  (options: FetchOptions) =>
  async (address: string, signal?: AbortSignal): Promise<FetchedDocument> => {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    let url = publicUrl(address);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await requestOnce(url, { ...options, signal: stop });
      const { statusCode: status = 0, headers } = response;
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        response.destroy();
        url = publicUrl(headers.location, url);
        continue;
      }
      if (status < 200 || status >= 300) {
        response.destroy();
        throw new CodedError('URL_UNREACHABLE', `${url.host} answered with status ${status}.`, { field: 'url' });
      }
      if (Number(headers['content-length'] ?? 0) > options.maxBytes) {
        response.destroy();
        throw tooLarge(options.maxBytes);
      }
      return {
        stream: Readable.from(readBody(response, url, options, stop), { objectMode: false }),
        contentType: headers['content-type'] ?? null,
        name: documentName(url, headers['content-disposition']),
        finalUrl: url.href,
      };
    }
    throw new CodedError('URL_UNREACHABLE', `The address redirects more than ${MAX_REDIRECTS} times.`, {
      field: 'url',
    });
  };

const publicUrl = (address: string, base?: URL): URL => {
  const refuse = (why: string): CodedError => new CodedError('URL_REFUSED', why, { field: 'url' });
  if (!URL.canParse(address, base?.href)) throw refuse('The address is not a URL.');
  const url = new URL(address, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`Addresses start with http: or https:, not with ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') throw refuse('The address carries a user name or password.');
  return url;
};
