import type { Observers, TenantId } from '@postmaster/contracts';

export interface FollowTimes {
  /** Changes closer together than this are seen as one. */
  quietMs: number;
  /** Events are passing glances and may be missed: the state is looked at again after this anyway. */
  lookAgainMs: number;
}

export const FOLLOW_TIMES: FollowTimes = { quietMs: 150, lookAgainMs: 15_000 };

/**
 * A document's state now, and again at each change of it, until `isLast` or `signal`. `look` is what is seen;
 * a state that looks the same as the one before is not given again.
 */
export async function* followDocument<State>(
  {
    observers,
    tenant,
    document,
    signal,
  }: { observers: Observers; tenant: TenantId; document: string; signal: AbortSignal },
  look: () => Promise<State>,
  isLast: (state: State) => boolean,
  { quietMs, lookAgainMs }: FollowTimes = FOLLOW_TIMES,
): AsyncGenerator<State, void> {
  const change = changes();
  const stop = observers.observe(tenant, (event) => {
    if ('document' in event.data && event.data.document === document) change.happened();
  });
  signal.addEventListener('abort', change.happened);
  try {
    let before: string | undefined;
    while (!signal.aborted) {
      change.seen();
      const state = await look();
      const seen = JSON.stringify(state);
      if (seen !== before) yield state;
      before = seen;
      if (isLast(state)) return;
      await change.orAfter(lookAgainMs);
      if (!signal.aborted) await pause(quietMs, signal);
    }
  } finally {
    signal.removeEventListener('abort', change.happened);
    stop();
  }
}

/** Remembers that something happened, for one who looks now and then. */
const changes = () => {
  let pending = false;
  let wake = () => {};
  return {
    happened: () => {
      pending = true;
      wake();
    },
    seen: () => {
      pending = false;
    },
    orAfter: (ms: number) =>
      new Promise<void>((resolve) => {
        if (pending) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
