/** Wakes loops of this process as soon as there is work, so that they need not look often. */
export interface Bell {
  ring(name: string): void;
  /** Rings after `ms`, if the process still runs then. */
  ringIn(name: string, ms: number): void;
  /** Resolves at the next ring (or one missed since the last wait), after `ms`, or when aborted. */
  wait(name: string, ms: number, signal?: AbortSignal): Promise<void>;
}

export const createBell = (): Bell => {
  const waiting = new Map<string, Set<() => void>>();
  const missed = new Set<string>();
  const ring = (name: string): void => {
    const waiters = waiting.get(name);
    if (!waiters?.size) missed.add(name);
    else for (const wake of [...waiters]) wake();
  };
  return {
    ring,
    ringIn: (name, ms) => void setTimeout(ring, ms, name).unref(),
    wait: (name, ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || missed.delete(name)) return resolve();
        const waiters = waiting.get(name) ?? new Set();
        waiting.set(name, waiters);
        const wake = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          waiters.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiters.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
      }),
  };
};

/** One bell serves a process: rows name the loops that look at them. */
export const processBell = createBell();
export const outboxBell = (schema: string): string => `${schema}.outbox`;
export const jobsBell = (kind: string): string => `jobs.${kind}`;
