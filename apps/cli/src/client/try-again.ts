import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, Stopped } from '../cli-error.js';

const WAITS_MS = [500, 1_000, 2_000];

/** Does it again where it failed for a reason that passes. For what may be done twice only. */
export const tryAgain = async <T>(signal: AbortSignal, act: () => Promise<T>, waits = WAITS_MS): Promise<T> => {
  for (const wait of waits)
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof CliError && error.passing)) throw error;
      await sleep(wait, undefined, { signal }).catch(() => {
        throw new Stopped();
      });
    }
  return act();
};
