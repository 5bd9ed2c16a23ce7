import type { Response } from 'express';
import type { Timings } from './server-timing.js';

/** What the gateway keeps of a request while it is answered. */
export interface Locals {
  requestId: string;
  /** Aborted when the caller goes away, or when a stopping server waits no longer. */
  signal: AbortSignal;
  /** For streams: aborted when the caller goes away, or as soon as the server stops. */
  ending: AbortSignal;
  /** Of a request to the API. */
  timings?: Timings;
  /** Whose request it was, for the access log. */
  tenant?: string;
}

export type Answer = Response<unknown, Locals & Record<string, unknown>>;
