import type { Consumer } from '@postmaster/contracts';

/** A service's moving parts, wired to its ports and at rest: a process subscribes, starts and stops them. */
export interface ServiceParts {
  consumers: Consumer[];
  /** Workers and timers begin. */
  start(): void;
  /** Hands in what is in hand, within `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

/** Runs `act` every `ms`, one at a time; the returned function ends it after the run in hand. */
export const every = (
  ms: number,
  act: () => Promise<unknown>,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  let running: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = act()
      .catch(onError)
      .finally(() => (busy = false));
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
};
