import type { Metrics } from './metrics.js';

/** Throws, or takes too long, where what it checks does not answer. */
export type Check = () => Promise<unknown> | unknown;

export interface HealthOptions {
  /** What every request needs; nothing that only some do. */
  checks?: Readonly<Record<string, Check>>;
  /** False while starting and once stopping. */
  accepting?: () => boolean;
  metrics?: Metrics;
  checkTimeoutMs?: number;
}

export interface HealthAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** Answers /health/live, /health/ready and /metrics, for whatever server asks; undefined for any other path. */
export const healthAnswers = ({
  checks = {},
  accepting = () => true,
  metrics,
  checkTimeoutMs = 2_000,
}: HealthOptions): ((path: string) => Promise<HealthAnswer | undefined>) => {
  const ready = async (): Promise<HealthAnswer> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await outcome(check, checkTimeoutMs)] as const),
    );
    const well = accepting() && results.every(([, result]) => result === 'ok');
    return json(well ? 200 : 503, { ready: well, accepting: accepting(), checks: Object.fromEntries(results) });
  };
  return async (path) => {
    if (path === '/health/live') return json(200, { live: true });
    if (path === '/health/ready') return ready();
    if (path === '/metrics' && metrics)
      return { status: 200, contentType: metrics.registry.contentType, body: await metrics.registry.metrics() };
    return undefined;
  };
};

const json = (status: number, body: object): HealthAnswer => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

/** Says which check failed and not why: the why is for the log, not for whoever can reach the port. */
const outcome = async (check: Check, timeoutMs: number): Promise<'ok' | 'failed' | 'late'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, timeoutMs, 'late')));
  try {
    return await Promise.race([
      Promise.resolve()
        .then(check)
        .then(() => 'ok' as const),
      late,
    ]);
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
};
