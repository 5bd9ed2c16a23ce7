import { readFile, writeFile } from 'node:fs/promises';
import { createGateway, type Gateway } from '@postmaster/gateway';
import { createLifecycle, createMetrics, type Lifecycle, type Log } from '@postmaster/service';
import { ensureDefaultTenant } from '@postmaster/tenants';
import { documentBytes, uploads } from './gateway-ports.js';
import { leaveNote, takeNoteAway } from './home-note.js';
import { openData } from './open-data.js';
import { closeNeighbours, type Neighbours, openNeighbours } from './open-neighbours.js';
import type { StandaloneConfig } from './standalone-config.js';
import { wireServices } from './wire-services.js';

export interface Standalone {
  url: string;
  folder: string;
  apiKey: string;
  neighbours: Neighbours;
  gateway: Gateway;
  lifecycle: Lifecycle;
}

/** Everything in this process. When it resolves, the server answers; `lifecycle.stop()` ends it in order. */
export const startStandalone = async (config: StandaloneConfig, log: Log, version: string): Promise<Standalone> => {
  const metrics = createMetrics('standalone');
  const lifecycle = createLifecycle({ log, limitMs: config.SHUTDOWN_TIMEOUT_MS });
  const died = (err: Error): void => {
    log.fatal({ err }, 'the embedded database stopped');
    process.exit(1);
  };
  const data = await openData(config.POSTMASTER_DATA, version, died);
  lifecycle.onShutdown('pools', 'rows', async () => {
    await data.database.close();
    await data.lock.release();
  });
  try {
    const neighbours = await openNeighbours(config, data);
    lifecycle.onShutdown('drain', 'neighbours', () => closeNeighbours(neighbours));
    const wired = await wireServices(config, data, neighbours, log, metrics);
    lifecycle.onShutdown('workers', 'workers', wired.stopWorkers);
    const apiKey = await defaultKey(data.within('api-key'), config.POSTMASTER_API_KEY, wired.tenants);
    const gateway = await createGateway({
      config: {
        host: config.HOST,
        port: config.PORT,
        adminKey: config.POSTMASTER_ADMIN_KEY,
        sessionSecret: data.sessionSecret,
        maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
      },
      ...{ seal: wired.seal, requests: wired.requests, observers: wired.bus, log, metrics, version },
      subgraphs: Object.fromEntries(wired.subgraphs.map((one) => [one.name, one])),
      uploads: uploads(wired.ingestion),
      bytes: documentBytes(wired.ingestion),
      accepting: lifecycle.accepting,
    });
    lifecycle.onShutdown('http', 'gateway', () => gateway.close());
    lifecycle.onShutdown('drain', 'subgraphs', () => Promise.all(wired.subgraphs.map((one) => one.close())));
    await wired.start();
    const url = await gateway.listen();
    data.lock.announce({ url });
    await leaveNote({ url, data: data.folder, pid: process.pid });
    lifecycle.onShutdown('pools', 'note', () => takeNoteAway(process.pid));
    lifecycle.started();
    return { url, folder: data.folder, apiKey, neighbours, gateway, lifecycle };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
};

/** The key of the tenant `default`, kept where the command line finds it. */
const defaultKey = async (
  path: string,
  configured: string | undefined,
  ports: Parameters<typeof ensureDefaultTenant>[0],
): Promise<string> => {
  const kept = (await readFile(path, 'utf8').catch(() => undefined))?.trim();
  const { secret } = await ensureDefaultTenant(ports)({ configured, kept });
  if (secret !== kept) await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
};
