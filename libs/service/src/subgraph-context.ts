import type { Identity, IdentitySeal } from '@postmaster/contracts';

/** What every resolver is given of its request. */
export interface SubgraphContext {
  /** Who asks. */
  identity: Identity;
  /** The token itself, to ask other services with. */
  token: string;
  requestId: string;
  /** Aborted when the caller has gone. */
  signal: AbortSignal;
}

/** The context of a request whose token was not valid: no resolver ever sees it. */
export type RefusedContext = Omit<SubgraphContext, 'identity'> & { identity?: undefined; refusal: unknown };

export interface SubgraphCall {
  token: string | undefined;
  requestId: string;
  signal?: AbortSignal;
}

/** Makes the context of a request from its internal token, the same for a request over HTTP and one in this process. */
export const subgraphContext =
  (seal: IdentitySeal) =>
  async ({ token, requestId, signal }: SubgraphCall): Promise<SubgraphContext | RefusedContext> => {
    const rest = { token: token ?? '', requestId, signal: signal ?? new AbortController().signal };
    try {
      return { identity: await seal.open(token), ...rest };
    } catch (refusal) {
      return { refusal, ...rest };
    }
  };
