import { connectNats, type Nats, type NatsCredentials, type NatsRequests, natsRequests } from '@postmaster/bus';
import type { IdentitySeal } from '@postmaster/contracts';
import { injectTrace, withTraceOf } from '@postmaster/durable';
import type { Lifecycle, Log } from '@postmaster/service';
import type { BusConfig } from './process-config.js';

export interface ProcessBus {
  nats: Nats;
  requests: NatsRequests;
}

export interface BusSurroundings {
  name: string;
  config: BusConfig;
  seal: IdentitySeal;
  log: Log;
  lifecycle: Lifecycle;
}

/**
 * The process's connection to NATS and the requests over it; nothing where none is configured. A server that is not
 * there is looked for until it is. Throws BUS_REFUSED; where the credentials are refused later, the process ends.
 */
export const connectBus = async ({
  name,
  config,
  seal,
  log,
  lifecycle,
}: BusSurroundings): Promise<ProcessBus | undefined> => {
  if (!config.NATS_URL) return undefined;
  const nats = await connectNats({
    ...{ url: config.NATS_URL, name, credentials: credentialsOf(config) },
    onLost: ({ message }) => log.warn(`${message} It is looked for until it is back.`),
    onConnected: (server) => log.info({ server }, 'connected to NATS'),
    onError: (err) => log.error({ err }, 'NATS complains'),
  });
  lifecycle.onShutdown('pools', 'nats', () => nats.drain());
  void nats.closed.then(async (refusal) => {
    if (!refusal || lifecycle.stopping()) return;
    log.fatal({ err: refusal }, 'NATS refuses this process');
    await lifecycle.stop();
    process.exit(1);
  });
  const requests = natsRequests({
    ...{ nats, seal, service: name, inject: injectTrace, around: withTraceOf },
    onError: (err, subject) => log.error({ err, subject }, 'a request was not answered as it should be'),
  });
  lifecycle.onShutdown('http', 'requests', () => requests.stop());
  return { nats, requests };
};

const credentialsOf = (config: BusConfig): NatsCredentials | undefined => {
  if (config.NATS_CREDENTIALS) return { credsFile: config.NATS_CREDENTIALS };
  const { NATS_USER: user, NATS_PASSWORD: password } = config;
  return user && password ? { user, password } : undefined;
};
