import { ExponentialBackoff, handleWhen, type IBackoff, type IBackoffFactory, type IRetryBackoffContext, retry, wrap } from 'cockatiel';
import { ModelFailure } from './model-failure.js';

export interface AskAgain {
  /** How often a call is tried again after 429, 5xx or a broken connection. */
  attempts: number;
  /** How often after a reply of another form. */
  malformed: number;
  /** The first wait; the next ones grow with jitter. */
  initialDelayMs: number;
}

export const ASK_AGAIN: AskAgain = { attempts: 4, malformed: 2, initialDelayMs: 500 };
export const NEVER_AGAIN: AskAgain = { attempts: 0, malformed: 0, initialDelayMs: 0 };
const LONGEST_WAIT_SECONDS = 30;

/**
 * Asks a model, and again where that may help: `attempts` times with growing, jittered waits after 429 (at least as
 * long as its Retry-After; one of above 30 s is left to the caller), 5xx and broken connections; `malformed`
 * times after a reply of another form. Leaves at once when the signal aborts, with its reason.
 */
export const askAgain = ({ attempts, malformed, initialDelayMs }: AskAgain) => {
  const waits = new ExponentialBackoff({ initialDelay: initialDelayMs, maxDelay: LONGEST_WAIT_SECONDS * 1000 });
  const policy = wrap(
    retry(handleWhen(isMalformed), { maxAttempts: malformed, backoff: waits }),
    retry(handleWhen(mayPass), { maxAttempts: attempts, backoff: new AtLeastRetryAfter(waits) }),
  );
  return async <T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const asked = policy.execute(() => {
      signal?.throwIfAborted();
      return ask();
    });
    return signal ? unlessAborted(asked, signal) : asked;
  };
};

const isMalformed = (error: Error): boolean => error instanceof ModelFailure && error.kind === 'malformed';

const mayPass = (error: Error): boolean =>
  error instanceof ModelFailure &&
  (error.kind === 'busy' || error.kind === 'down') &&
  (error.retryAfter ?? 0) <= LONGEST_WAIT_SECONDS;

/** Waits as long as the server asked for, where that is longer than the backoff would. */
export class AtLeastRetryAfter implements IBackoffFactory<IRetryBackoffContext<unknown>> {
  constructor(private readonly waits: IBackoffFactory<unknown>) {}

  next(context: IRetryBackoffContext<unknown>): IBackoff<IRetryBackoffContext<unknown>> {
    const wait = this.waits.next(context);
    const error = 'error' in context.result ? context.result.error : undefined;
    const asked = error instanceof ModelFailure ? (error.retryAfter ?? 0) * 1000 : 0;
    const after = new AtLeastRetryAfter(wait);
    return { duration: Math.max(asked, wait.duration), next: (later) => after.next(later) };
  }
}

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
