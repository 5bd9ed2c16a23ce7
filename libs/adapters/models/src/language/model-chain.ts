import type { ChatServer } from './chat-server.js';
import { type FailureKind, ModelFailure } from './model-failure.js';

/** Models in the order in which they are asked. */
export interface ModelChain {
  readonly servers: readonly [ChatServer, ...ChatServer[]];
  /**
   * What the first server gives that can: the next one is asked where one fails, for whatever reason, and one that was
   * out is left alone for a while. Throws what it is about this call that a server would not do, else the last one's
   * failure.
   */
  first<T>(call: (server: ChatServer) => Promise<T>): Promise<T>;
}

export interface FellBack {
  from: string;
  to: string;
  /** Of the first one's failure; "skipped" where it was left alone. */
  why: FailureKind | 'skipped';
}

export interface ChainSettings {
  onFallback?: (fell: FellBack) => void;
  now?: () => number;
}

/** Calls in a row that a server fails, each tried again within its own bounds, before it is left alone, and for how long. */
const FAILURES = 2;
const LEFT_ALONE_MS = 30_000;
const OUT: ReadonlySet<FailureKind> = new Set(['busy', 'down', 'late', 'refused', 'unable']);

export const modelChain = (
  servers: readonly [ChatServer, ...ChatServer[]],
  { onFallback, now = Date.now }: ChainSettings = {},
): ModelChain => {
  const healths = servers.map(() => serverHealth(now));
  return {
    servers,
    first: async (call) => {
      let ofTheCall: ModelFailure | undefined;
      for (const [at, server] of servers.entries()) {
        const [next, health] = [servers[at + 1], healths[at]];
        let failure: ModelFailure | undefined;
        // The last one is always asked: there is no one else.
        const leave = next ? health?.enter() : () => {};
        if (leave) {
          try {
            const result = await call(server);
            health?.worked();
            return result;
          } catch (error) {
            if (!(error instanceof ModelFailure)) throw error; // the caller left
            failure = error;
          } finally {
            leave();
          }
          if (OUT.has(failure.kind)) health?.wasOut();
          else health?.worked();
        }
        if (failure && !OUT.has(failure.kind)) ofTheCall ??= failure;
        if (!next) throw ofTheCall ?? failure;
        onFallback?.({ from: server.id, to: next.id, why: failure?.kind ?? 'skipped' });
      }
      throw new Error('a chain ends with a server');
    },
  };
};

/** Whether a server is worth asking. While it is left alone nobody waits for it; then one call at a time tries it. */
const serverHealth = (now: () => number) => {
  let failures = 0;
  let aloneUntil = 0;
  let isTried = false;
  return {
    /** Gives how to leave; undefined where the server is to be left alone. */
    enter: (): (() => void) | undefined => {
      if (failures < FAILURES) return () => {};
      if (isTried || now() < aloneUntil) return undefined;
      isTried = true;
      return () => {
        isTried = false;
      };
    },
    worked: (): void => {
      failures = 0;
    },
    wasOut: (): void => {
      failures++;
      aloneUntil = now() + LEFT_ALONE_MS;
    },
  };
};
