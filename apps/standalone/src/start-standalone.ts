import { readFile, writeFile } from 'node:fs/promises';
import { cleanUp, type OpenDatabase } from '@postmaster/database';
import { every } from '@postmaster/durable';
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
    const neighbours = await openNeighbours(config, data, (fell) => metrics.modelFallbacks.inc(fell));
    lifecycle.onShutdown('drain', 'neighbours', () => closeNeighbours(neighbours));
    const wired = await wireServices(config, data, neighbours, log, metrics);
    lifecycle.onShutdown('workers', 'workers', wired.stopWorkers);
    const apiKey = await defaultKey(data.within('api-key'), config.POSTMASTER_API_KEY, wired.tenants);
    const gateway = await createGateway({
      config: {
        host: config.HOST,
        port: config.PORT,
        adminKey: config.POSTMASTER_ADMIN_KEY,
        mailWebhookSecret: config.MAIL_WEBHOOK_SECRET,
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
    lifecycle.onShutdown('workers', 'upkeep', keepUp(data.database, wired.settled, log));
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

const UPKEEP_MS = 30_000;
/** So few ended jobs leave too little behind to be worth a pause of the database. */
const WORTH_UPKEEP = 500;

/** Cleans the database up while there is work; a round too much costs less than a planner that goes by no figures. */
const keepUp = (database: OpenDatabase, settled: () => number, log: Log): (() => Promise<void>) => {
  let cleaned = 0;
  const round = async (): Promise<void> => {
    if (settled() - cleaned < WORTH_UPKEEP) return;
    cleaned = settled();
    await cleanUp(database);
  };
  return every(UPKEEP_MS, round, (err) => log.warn({ err }, 'the database could not be cleaned up'));
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
