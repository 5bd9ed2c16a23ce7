import type { DiagLogger } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.js';

/** So often, at most, it is said aloud that traces can't be sent; in between only to those who look for it. */
const SAY_EVERY_MS = 60_000;

/** Says that spans were lost, and why: a warning and never more, for nothing but the traces suffers. */
export const collectorComplaints = (log: Log, now: () => number = Date.now): ((why: unknown) => void) => {
  let said = -Infinity;
  return (why) => {
    const due = now() - said >= SAY_EVERY_MS;
    if (due) said = now();
    log[due ? 'warn' : 'debug']({ why: reasonOf(why) }, 'traces could not be sent to their collector');
  };
};

/** Its code or its first line; what a collector answered at length is left out. */
const reasonOf = (why: unknown): string => {
  if (!(why instanceof Error)) return String(why);
  const { code, message, name } = why as NodeJS.ErrnoException;
  return `${code ?? name}: ${message}`.split('\n', 1)[0]!.slice(0, 200);
};

/** The same exporter, which tells of every failure to send. */
export const noting = (exporter: SpanExporter, complain: (why: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.code !== 0) complain(result.error ?? 'the collector did not take them'); // 0: ExportResultCode.SUCCESS
      done(result);
    }),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});

/** What OpenTelemetry says of itself is for those who look for it. */
export const sdkLog = (log: Log): DiagLogger => {
  const say = (message: string): void => log.debug({ from: 'opentelemetry' }, message.slice(0, 500));
  const nothing = (): void => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
};
