/** Wait before try number `tries` (from 0), in ms: doubles from `first` to `most`, a quarter off or on by chance. */
export const backoffMs = (tries: number, first: number, most: number): number =>
  Math.min(most, first * 2 ** Math.min(tries, 20)) * (0.75 + Math.random() / 2);

/** Resolves after `ms`, or as soon as the signal is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
