import type { QdrantClient } from '@qdrant/js-client-rest';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { callFailure, mayPass } from './call-failure.js';

export interface QdrantAddress {
  /** http(s); a path before Qdrant's own is kept. */
  url: string;
  apiKey?: string;
  /** Milliseconds that one call may take, its answer's last byte included. */
  timeoutMs: number;
  /** Further tries of a call that failed for what may pass. */
  retries: number;
}

/** A call of the client. It has to be one that may be made twice: all of ours are. */
export type QdrantCall = <T>(call: (client: QdrantClient) => Promise<T>) => Promise<T>;

/**
 * The one way to the server. What may pass (no connection, no answer in time, 408, 425, 429, 5xx) is tried again with
 * growing pauses, for three times a call's time in all, then STORE_UNREACHABLE; a refused key is STORE_REFUSED at
 * once; any other refusal is a RefusedCall.
 */
export const qdrantCalls = ({ url, apiKey, timeoutMs, retries }: QdrantAddress): QdrantCall => {
  const { origin, host, pathname } = new URL(url);
  const open = async (): Promise<QdrantClient> => {
    const client = await import('@qdrant/js-client-rest'); // its 200 files are read where it is used, and by no other start
    return new client.QdrantClient({
      url: origin,
      port: null,
      prefix: pathname.replace(/\/+$/, ''),
      timeout: timeoutMs,
      checkCompatibility: false, // it would print
      headers: {
        'accept-encoding': 'identity', // a compressed answer comes in chunks and waits 44 ms for an acknowledgement
        ...(apiKey && { 'api-key': apiKey }),
      },
    });
  };
  let opened: Promise<QdrantClient> | undefined;
  return async (call) => {
    const began = performance.now();
    const passes = handleWhen((error) => mayPass(error) && performance.now() - began < 2 * timeoutMs);
    const policy = retry(passes, {
      maxAttempts: retries,
      backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 2000 }),
    });
    const client = await (opened ??= open());
    return policy.execute(() =>
      call(client).catch((error: unknown) => {
        throw callFailure(host, timeoutMs, error);
      }),
    );
  };
};
