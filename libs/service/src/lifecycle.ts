import type { Log } from './log.js';

/** In this order: what stands later is still needed by what stops before it. */
export const STOP_PHASES = ['http', 'workers', 'drain', 'pools'] as const;
/** http: no new requests, running ones end · workers: no new claims · drain: what is in flight ends · pools: connections, threads, locks. */
export type StopPhase = (typeof STOP_PHASES)[number];

export interface Lifecycle {
  /** Whether requests are welcome: after `started`, until the stop begins. What readiness goes by. */
  accepting(): boolean;
  /** Once the stop has begun. */
  stopping(): boolean;
  started(): void;
  /** Things of one phase stop together; one that fails is logged and does not hold up the rest. */
  onShutdown(phase: StopPhase, name: string, stop: () => Promise<unknown> | unknown): void;
  /** Stops everything, once; resolves when done or when the time is up: true if all of it stopped in time. */
  stop(): Promise<boolean>;
  /** SIGINT or SIGTERM stops gracefully and then ends the process; the second one ends it at once. */
  followSignals(exit?: (code: number) => void): void;
}

export interface LifecycleOptions {
  log: Log;
  /** In which a stop has to be done, without the notice. */
  limitMs: number;
  /** How long after readiness went off requests are still taken: the time a load balancer needs to notice. */
  noticeMs?: number;
}

export const createLifecycle = ({ log, limitMs, noticeMs = 0 }: LifecycleOptions): Lifecycle => {
  const stops = STOP_PHASES.map((phase) => ({ phase, parts: new Map<string, () => Promise<unknown> | unknown>() }));
  let accepting = false;
  let stopping: Promise<boolean> | undefined;
  const running = new Set<string>();

  const stopPart = async (name: string, stop: () => Promise<unknown> | unknown): Promise<void> => {
    running.add(name);
    try {
      await stop();
    } catch (err) {
      log.error({ err, part: name }, 'a part failed to stop');
    } finally {
      running.delete(name);
    }
  };
  const stopAll = async (): Promise<void> => {
    accepting = false;
    await sleep(noticeMs);
    for (const { parts } of stops) await Promise.all([...parts].map(([name, stop]) => stopPart(name, stop)));
  };
  const stop = (): Promise<boolean> =>
    (stopping ??= withinTime(stopAll(), noticeMs + limitMs).then((inTime) => {
      if (!inTime) log.error({ parts: [...running], limitMs }, 'stopping took too long');
      return inTime;
    }));

  return {
    accepting: () => accepting,
    stopping: () => stopping !== undefined,
    started: () => {
      accepting = stopping === undefined;
    },
    onShutdown: (phase, name, stopIt) => stops.find((one) => one.phase === phase)?.parts.set(name, stopIt),
    stop,
    followSignals: (exit = (code) => process.exit(code)) => {
      const onSignal = (signal: NodeJS.Signals): void => {
        if (stopping) {
          log.warn({ signal }, 'stopping at once');
          return exit(1);
        }
        log.info({ signal }, 'stopping');
        void stop().then((inTime) => exit(inTime ? 0 : 1));
      };
      process.on('SIGINT', onSignal);
      process.on('SIGTERM', onSignal);
    },
  };
};

const sleep = (ms: number): Promise<void> =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();

const withinTime = async (work: Promise<void>, limitMs: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, limitMs, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
};
