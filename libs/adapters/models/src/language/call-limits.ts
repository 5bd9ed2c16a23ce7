import { ModelFailure } from './model-failure.js';

/** The end of one call: the caller's own abort, or a silence longer than allowed. */
export interface CallLimit {
  readonly signal: AbortSignal;
  /** The model said something: the time begins anew. */
  heard(): void;
  /** Ends the timer, and whatever of the call is still open. */
  end(): void;
}

/** Aborts with the caller's reason, or with MODEL_UNREACHABLE after `timeoutMs` of silence. */
export const callLimit = (server: string, timeoutMs: number, outer?: AbortSignal): CallLimit => {
  const late = new AbortController();
  const expire = () => late.abort(new ModelFailure('late', `${server} gave no answer within ${timeoutMs / 1000} s.`));
  let timer = setTimeout(expire, timeoutMs);
  return {
    signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(expire, timeoutMs);
    },
    end: () => {
      clearTimeout(timer);
      late.abort();
    },
  };
};
