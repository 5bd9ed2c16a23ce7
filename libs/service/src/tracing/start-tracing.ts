import { hostname } from 'node:os';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.js';
import { collectorComplaints, noting, sdkLog } from './collector-complaints.js';

export interface TracingOptions {
  /** The process: a trace's spans are told apart by it. */
  service: string;
  version: string;
  /** Of an OpenTelemetry collector, OTLP over HTTP, without `/v1/traces`. Nothing is traced, nor loaded, without one. */
  endpoint: string | undefined;
  log: Log;
  /** Takes the spans in the collector's stead. */
  exporter?: SpanExporter;
}

export interface Tracing {
  /** Sends what has ended so far; rejects where it can't. */
  flush(): Promise<void>;
  /** Sends what there is, for at most `STOP_WITHIN_MS`; afterwards nothing is traced. Never throws. */
  stop(): Promise<void>;
}

/** Spans that wait to be sent: what comes on top is dropped, so that a collector that is out costs bounded memory. */
const QUEUE = 4_096;
const BATCH = 512;
const SEND_EVERY_MS = 2_000;
/** Tries again included. Shorter than the stop, so that this can still say why the last spans were lost. */
const SEND_WITHIN_MS = 2_500;
const STOP_WITHIN_MS = 3_000;

/**
 * Traces this process from now on; call it before what is to be traced is made. The code in between uses
 * `@opentelemetry/api` alone, which does nothing until then. A collector that does not answer is a line in the log.
 */
export const startTracing = async (options: TracingOptions): Promise<Tracing | undefined> => {
  const { service, version, endpoint, log } = options;
  if (!endpoint && !options.exporter) return undefined;
  // Loaded only here: a start without a collector is not held up by it.
  const [sdk, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ]);
  const complain = collectorComplaints(log);
  diag.setLogger(sdkLog(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = options.exporter ?? (await otlpExporter(endpoint ?? ''));
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'postmaster',
      'service.name': service,
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: noting(exporter, complain),
        maxQueueSize: QUEUE,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    flush: () => provider.forceFlush(),
    stop: async () => {
      for (const api of [trace, context, propagation]) api.disable();
      await withinTime(provider.shutdown(), () => complain('the last ones took too long'));
      diag.disable();
    },
  };
};

const otlpExporter = async (endpoint: string): Promise<SpanExporter> => {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  return new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: SEND_WITHIN_MS });
};

const withinTime = async (ending: Promise<void>, onLate: () => void): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(() => resolve(onLate()), STOP_WITHIN_MS)));
  await Promise.race([ending.catch(() => undefined), late]); // what failed has been told on the way
  clearTimeout(timer);
};
