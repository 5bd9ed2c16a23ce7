import { backoffMs, pause } from './backoff.js';

/** While something that every handler needs is out of reach, nothing is begun: attempts are not for that. */
export interface Outage {
  /** Resolves when work may be begun. */
  over(signal: AbortSignal): Promise<void>;
  /** It was out of reach again; gives how long nothing is begun, in ms. */
  seen(): number;
  /** It answered. */
  ended(): void;
}

const WAIT_MS = { first: 250, most: 5_000 };

export const outageWatch = (): Outage => {
  let times = 0;
  let until = 0;
  return {
    over: async (signal) => {
      for (let left = until - Date.now(); left > 0 && !signal.aborted; left = until - Date.now())
        await pause(left, signal);
    },
    seen: () => {
      // many handlers meet one outage at the same moment: that is one time
      if (until <= Date.now()) until = Date.now() + backoffMs(times++, WAIT_MS.first, WAIT_MS.most);
      return until - Date.now();
    },
    ended: () => {
      times = 0;
    },
  };
};
