import { CodedError } from '@postmaster/contracts';
import { DelegateBackoff, ExponentialBackoff, handleWhen, type IBackoff, retry } from 'cockatiel';
import type { ModelService } from '../model-service.js';
import { type Endpoint, postOnce } from './post-once.js';

/** How long a call is tried. */
export interface Patience {
  timeoutMs: number;
  retries: number;
  /** Where the service asks for a longer pause, the call fails at once and says so. */
  longestPauseSeconds: number;
}

/**
 * Posts JSON and gives the parsed answer. Tries again after 408, 425, 429, 5xx, a broken connection and a time-out,
 * with growing pauses or as long as Retry-After says; then the service's code.
 */
export const postJson = async (
  endpoint: Endpoint,
  body: object,
  patience: Patience,
  signal: AbortSignal,
): Promise<unknown> =>
  retryPolicy(patience, endpoint.service).execute(() => {
    signal.throwIfAborted();
    return postOnce(endpoint, JSON.stringify(body), patience.timeoutMs, signal);
  }, signal);

const retryPolicy = ({ retries, longestPauseSeconds }: Patience, { unreachable }: ModelService) => {
  const mayPass = (error: unknown): error is CodedError => error instanceof CodedError && error.code === unreachable;
  return retry(
    handleWhen((error) => mayPass(error) && (error.retryAfter ?? 0) <= longestPauseSeconds),
    {
      maxAttempts: retries,
      backoff: new DelegateBackoff<{ result: object }, IBackoff<unknown>>(({ result }, last) => {
        const state = last ? last.next(undefined) : new ExponentialBackoff({ initialDelay: 200 }).next();
        const asked = 'error' in result && mayPass(result.error) ? (result.error.retryAfter ?? 0) * 1000 : 0;
        return { delay: Math.max(asked, state.duration), state };
      }),
    },
  );
};
