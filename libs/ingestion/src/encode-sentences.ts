import { encodePassages, MOST_PASSAGES, type Requests, type TenantId } from '@postmaster/contracts';

interface EncodePorts {
  requests: Requests;
  /** A signed identity of this service for the tenant; it is short-lived. */
  sign: (tenant: TenantId) => Promise<string>;
}

/** Asks embedding for a vector of each text, one bounded call after the other, so that no document takes its encoder. */
export const encodeSentences =
  ({ requests, sign }: EncodePorts) =>
  async (tenant: TenantId, texts: readonly string[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let i = 0; i < texts.length; i += MOST_PASSAGES) {
      const call = { texts: texts.slice(i, i + MOST_PASSAGES) };
      vectors.push(...(await requests.ask(encodePassages, await sign(tenant), call)).vectors);
    }
    return vectors;
  };
