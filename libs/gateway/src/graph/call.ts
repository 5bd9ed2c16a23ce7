import type { Identity, IdentitySeal } from '@postmaster/contracts';

/** One operation on its way through the gateway: who asks, and how the subgraphs come to believe it. */
export interface Call {
  identity: Identity;
  requestId: string;
  /** The signed internal identity, fresh enough to be believed now. */
  token(): Promise<string>;
  /** Aborted when the caller goes away or the time is up. */
  signal: AbortSignal;
}

const RENEW_AFTER_MS = 20_000;

/** A call may last longer than a token: it is signed anew as it ages. */
export const callOf = (seal: IdentitySeal, identity: Identity, requestId: string, signal: AbortSignal): Call => {
  let signed: { token: Promise<string>; at: number } | undefined;
  return {
    identity,
    requestId,
    signal,
    token: () => {
      if (!signed || performance.now() - signed.at > RENEW_AFTER_MS)
        signed = { token: seal.sign(identity), at: performance.now() };
      return signed.token;
    },
  };
};
