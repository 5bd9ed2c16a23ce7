import type { Response } from 'express';

/** What the gateway keeps of a request while it is answered. */
export interface Locals {
  requestId: string;
  /** Aborted when the caller goes away or the server stops. */
  signal: AbortSignal;
  /** Whose request it was, for the access log. */
  tenant?: string;
}

export type Answer = Response<unknown, Locals & Record<string, unknown>>;
