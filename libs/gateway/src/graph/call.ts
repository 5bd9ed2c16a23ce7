import type { Identity, IdentitySeal } from '@postmaster/contracts';
import type { Timings } from '../http/server-timing.js';

/** One operation on its way through the gateway: who asks, and how the subgraphs come to believe it. */
export interface Call {
  identity: Identity;
  requestId: string;
  /** The signed internal identity, fresh enough to be believed now. */
  token(): Promise<string>;
  /** Aborted when the caller goes away or the time is up. */
  signal: AbortSignal;
  /** Where the time of each part is noted, if anyone looks. */
  timings?: Timings;
  /** Lets go of the caller's signal and the clock, when the operation is over. */
  end(): void;
}

const RENEW_AFTER_MS = 20_000;

export interface CallFacts {
  requestId: string;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  timeoutMs: number;
  timings?: Timings;
}

/** A call may last longer than a token: it is signed anew as it ages. */
export const callOf = (
  seal: IdentitySeal,
  identity: Identity,
  { requestId, signal, timeoutMs, timings }: CallFacts,
): Call => {
  const limited = new AbortController();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  const stop = () => {
    end();
    limited.abort();
  };
  const timer = setTimeout(stop, timeoutMs);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
  let signed: { token: Promise<string>; at: number } | undefined;
  return {
    identity,
    requestId,
    signal: limited.signal,
    timings,
    end,
    token: () => {
      if (!signed || performance.now() - signed.at > RENEW_AFTER_MS)
        signed = { token: seal.sign(identity), at: performance.now() };
      return signed.token;
    },
  };
};
