import { createHash } from 'node:crypto';
import { setWithin } from '@postmaster/contracts';
import { concurrencyLimit } from './concurrency-limit.js';
import type { ChatServer } from './chat-server.js';
import { ModelFailure } from './model-failure.js';

export type Urgency = 'interactive' | 'bulk';

/** The calls of one account at one server, whoever makes them. */
export interface ServerLane {
  /** Runs a call when the server's limit has room; interactive before bulk. Only alike calls should be `measured`. */
  run<T>(call: () => Promise<T>, options?: { urgency?: Urgency; measured?: boolean }): Promise<T>;
  /** Counts a call that waits for nobody, since someone reads its answer as it comes; gives how to say that it ended. */
  beside(): () => void;
}

const LONGEST_HOLD_SECONDS = 30;
/** Refusals one after another that are taken for all calls', where fewer than this may run. */
const LEAST_REFUSED = 4;

/**
 * Keeps calls to the limit that it finds. Where a whole round is refused with Retry-After, all wait for that long: a
 * quota is used up, and more calls would be in vain.
 */
export const serverLane = (limit = concurrencyLimit()): ServerLane => {
  const waiting = { interactive: [] as (() => void)[], bulk: [] as (() => void)[] };
  let running = 0;
  let refusedInARow = 0;
  let hold: NodeJS.Timeout | undefined;

  const admit = (): void => {
    while (!hold && running < limit.now) {
      const next = waiting.interactive.shift() ?? waiting.bulk.shift();
      if (!next) return;
      running++;
      next();
    }
  };

  const enter = async (urgency: Urgency): Promise<void> => {
    if (!hold && running < limit.now) running++;
    else await new Promise<void>((go) => waiting[urgency].push(go));
  };

  const leave = (): void => {
    running--;
    admit();
  };

  const learn = (error: unknown, epoch: number): void => {
    if (!(error instanceof ModelFailure) || (error.kind !== 'busy' && error.kind !== 'late')) return;
    limit.refused(epoch);
    refusedInARow++;
    if (hold || !error.retryAfter || refusedInARow < Math.max(limit.now, LEAST_REFUSED)) return;
    hold = setTimeout(
      () => {
        hold = undefined;
        admit();
      },
      1000 * Math.min(error.retryAfter, LONGEST_HOLD_SECONDS),
    );
    hold.unref();
  };

  return {
    beside: () => {
      running++;
      let open = true;
      return () => {
        if (open) leave();
        open = false;
      };
    },
    run: async (call, { urgency = 'bulk', measured = false } = {}) => {
      await enter(urgency);
      const { epoch } = limit;
      const full = running >= limit.now;
      const began = performance.now();
      try {
        const result = await call();
        refusedInARow = 0;
        limit.answered({ epoch, full, ms: measured ? performance.now() - began : undefined });
        return result;
      } catch (error) {
        learn(error, epoch);
        throw error;
      } finally {
        leave();
      }
    },
  };
};

const MOST_LANES = 500;
const lanes = new Map<string, ServerLane>();

/** This process's lane to a server: one for all tenants and tasks, but of each key by itself, for a key has limits of its own. */
export const laneTo = ({ address, secret }: Pick<ChatServer, 'address' | 'secret'>): ServerLane => {
  const account = `${address} ${secret ? createHash('sha256').update(secret).digest('hex') : ''}`;
  const lane = lanes.get(account) ?? serverLane();
  setWithin(lanes, MOST_LANES, account, lane);
  return lane;
};
