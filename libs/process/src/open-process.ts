import { localRequests } from '@postmaster/bus';
import { type IdentitySeal, identitySeal, type Requests } from '@postmaster/contracts';
import {
  createLifecycle,
  createLog,
  createMetrics,
  type Lifecycle,
  type Log,
  type Metrics,
  startTracing,
} from '@postmaster/service';
import { connectBus, type ProcessBus } from './connect-bus.js';
import { type FrameConfig, secretOf } from './process-config.js';
import type { RunningProcess } from './run-process.js';
import { VERSION } from './version.js';

/** What every process stands in, a service's and the gateway's. */
export interface Frame {
  seal: IdentitySeal;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
  /** Where NATS is configured. */
  bus: ProcessBus | undefined;
  /** Over NATS, or within this process alone. */
  requests: Requests;
}

/** Traced, logged, on the bus, and stopped in order; `start` gives the address. Where it fails, all is stopped again. */
export const openProcess = async (
  name: string,
  config: FrameConfig,
  start: (frame: Frame) => Promise<string>,
): Promise<RunningProcess> => {
  const seal = identitySeal(secretOf(config));
  const log = createLog({ name, level: config.LOG_LEVEL });
  const metrics = createMetrics(name);
  const { SHUTDOWN_TIMEOUT_MS: limitMs, SHUTDOWN_NOTICE_MS: noticeMs } = config;
  const lifecycle = createLifecycle({ log, limitMs, noticeMs });
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracing = await startTracing({ service: name, version: VERSION, endpoint, log });
  lifecycle.onShutdown('pools', 'tracing', () => tracing?.stop());
  try {
    const bus = await connectBus({ name, config, seal, log, lifecycle });
    const requests = bus?.requests ?? localRequests(seal);
    const url = await start({ seal, log, metrics, lifecycle, bus, requests });
    lifecycle.started();
    return { name, url, lifecycle };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
};
