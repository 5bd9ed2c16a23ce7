import { createHash } from 'node:crypto';
import { natsObservers } from '@postmaster/bus';
import { traceparentNow } from '@postmaster/durable';
import { createGateway, type RemoteSubgraph } from '@postmaster/gateway';
import { FRAME_VARIABLES, openProcess, type RunningProcess, secretOf, VERSION } from '@postmaster/process';
import { readConfig } from '@postmaster/service';
import { documentsOf } from './documents-of.js';

const NAMES = [
  ...FRAME_VARIABLES,
  'POSTMASTER_ADMIN_KEY',
  'MAIL_WEBHOOK_SECRET',
  'MAX_DOCUMENT_BYTES',
  'SUPERGRAPH_PATH',
  'SUBGRAPH_CONNECT_TIMEOUT_MS',
  'SUBGRAPH_TIMEOUT_MS',
  'KEY_CACHE_MS',
  'KEY_STALE_MS',
  'TENANTS_URL',
  'INGESTION_URL',
  'ENRICHMENT_URL',
  'EMBEDDING_URL',
  'RETRIEVAL_URL',
] as const;

/**
 * The gateway as a process of its own: its subgraphs are asked over HTTP, keys are verified and answers streamed over
 * NATS, and bytes go to and from the ingestion service. Without NATS only the operator's key works, and live streams
 * show the first state alone.
 */
export const startGateway = async (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(NAMES, environment);
  return openProcess('gateway', config, async ({ seal, log, metrics, lifecycle, bus, requests }) => {
    const observers = bus && natsObservers(bus.nats, (err) => log.error({ err }, 'a live stream missed an event'));
    if (observers) lifecycle.onShutdown('drain', 'observers', () => observers.stop());
    const documents = documentsOf(config, seal);
    lifecycle.onShutdown('pools', 'documents', () => documents.close());
    const gateway = await createGateway({
      config: {
        host: config.HOST,
        port: config.PORT,
        adminKey: config.POSTMASTER_ADMIN_KEY,
        mailWebhookSecret: config.MAIL_WEBHOOK_SECRET,
        sessionSecret: createHash('sha256').update('session').update(secretOf(config)).digest(),
        maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
        supergraphPath: config.SUPERGRAPH_PATH,
        subgraphConnectTimeoutMs: config.SUBGRAPH_CONNECT_TIMEOUT_MS,
        subgraphTimeoutMs: config.SUBGRAPH_TIMEOUT_MS,
        keyCacheMs: config.KEY_CACHE_MS,
        keyStaleMs: config.KEY_STALE_MS,
      },
      ...{ seal, requests, log, metrics, uploads: documents.uploads, bytes: documents.bytes, version: VERSION },
      observers: observers ?? { observe: () => () => {} },
      subgraphs: subgraphsOf({
        tenants: config.TENANTS_URL,
        ingestion: config.INGESTION_URL,
        enrichment: config.ENRICHMENT_URL,
        embedding: config.EMBEDDING_URL,
        retrieval: config.RETRIEVAL_URL,
      }),
      accepting: lifecycle.accepting,
      traceparent: () => traceparentNow() ?? undefined,
    });
    lifecycle.onShutdown('http', 'gateway', () => gateway.close());
    return gateway.listen();
  });
};

const subgraphsOf = (urls: Record<string, string | undefined>): Record<string, RemoteSubgraph> =>
  Object.fromEntries(
    Object.entries(urls).flatMap(([name, url]) => (url ? [[name, { url: new URL('/graphql', url).href }]] : [])),
  );
