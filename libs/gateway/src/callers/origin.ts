import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@postmaster/contracts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser sends its cookie by itself, also from pages on other ports of the same host; so what may change state
 * must come from a page of this server, and what only reads must, too, unless a person opens it. Browsers say so in
 * Sec-Fetch-Site and Origin, which pages can't forge.
 */
export const requireSameOrigin = (method: string, headers: IncomingHttpHeaders): void => {
  const site = headers['sec-fetch-site'];
  if (SAFE.has(method) && (!site || site === 'none' || headers['sec-fetch-mode'] === 'navigate')) return;
  const same = site === undefined ? originHost(headers.origin) === headers.host : site === 'same-origin';
  if (!same) throw new CodedError('ORIGIN_REFUSED', 'The session may only be used by the page of this server.');
};

const originHost = (origin: string | undefined): string | null => {
  try {
    return origin ? new URL(origin).host : null;
  } catch {
    return null;
  }
};
