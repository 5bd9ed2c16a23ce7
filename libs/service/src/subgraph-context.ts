import type { Identity, IdentitySeal } from '@postmaster/contracts';

/** What every resolver is given of its request. */
export interface SubgraphContext {
  /** Who asks. Throws IDENTITY_INVALID where the token was not valid; resolvers are not reached then. */
  readonly identity: Identity;
  /** The token itself, to ask other services with. */
  readonly token: string;
  readonly requestId: string;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

export interface SubgraphCall {
  token: string | undefined;
  requestId: string;
  signal?: AbortSignal;
}

/** Makes the context of a request from its internal token, the same for a request over HTTP and one in this process. */
export const subgraphContext =
  (seal: IdentitySeal) =>
  async ({ token, requestId, signal = new AbortController().signal }: SubgraphCall): Promise<SubgraphContext> => {
    const rest = { token: token ?? '', requestId, signal };
    try {
      return { identity: await seal.open(token), ...rest };
    } catch (error) {
      return {
        get identity(): Identity {
          throw error;
        },
        ...rest,
      };
    }
  };
