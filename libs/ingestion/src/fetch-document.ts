import type { Readable } from 'node:stream';

export interface FetchedDocument {
  stream: Readable;
  contentType: string | null;
  /** The last part of the address's path, or what the server calls it. */
  name: string;
  /** After redirects. */
  finalUrl: string;
}

/** Gets a public http(s) address. Throws URL_REFUSED, URL_UNREACHABLE; TOO_LARGE may come while streaming. */
export type FetchDocument = (url: string, signal?: AbortSignal) => Promise<FetchedDocument>;
