import { createHash } from 'node:crypto';
import { localRequests } from '@postmaster/bus';
import { CodedError, identitySeal } from '@postmaster/contracts';
import { createGateway, type DocumentBytes, type RemoteSubgraph, type Uploads } from '@postmaster/gateway';
import { type RunningProcess, secretOf } from '@postmaster/process';
import { createLifecycle, createLog, createMetrics, readConfig } from '@postmaster/service';

const NAMES = [
  'PORT',
  'HOST',
  'LOG_LEVEL',
  'SHUTDOWN_TIMEOUT_MS',
  'POSTMASTER_IDENTITY_SECRET',
  'POSTMASTER_ADMIN_KEY',
  'MAX_DOCUMENT_BYTES',
  'TENANTS_URL',
  'INGESTION_URL',
  'ENRICHMENT_URL',
  'EMBEDDING_URL',
  'RETRIEVAL_URL',
] as const;

/**
 * The gateway as a process of its own: its subgraphs are asked over HTTP. What goes by requests and events waits for
 * the bus between processes (with the next issue): tenants' keys can't be verified, bytes can't be passed on, and live
 * streams show the first state alone. All of these are SERVICE_UNAVAILABLE; the operator's key works.
 */
export const startGateway = async (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(NAMES, environment);
  const secret = secretOf(config);
  const seal = identitySeal(secret);
  const log = createLog({ name: 'gateway', level: config.LOG_LEVEL });
  const metrics = createMetrics('gateway');
  const lifecycle = createLifecycle({ log, limitMs: config.SHUTDOWN_TIMEOUT_MS });
  const gateway = await createGateway({
    config: {
      host: config.HOST,
      port: config.PORT,
      adminKey: config.POSTMASTER_ADMIN_KEY,
      sessionSecret: createHash('sha256').update('session').update(secret).digest(),
      maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
    },
    ...{ seal, log, metrics, uploads, bytes },
    requests: localRequests(seal),
    observers: { observe: () => () => {} },
    subgraphs: subgraphsOf({
      tenants: config.TENANTS_URL,
      ingestion: config.INGESTION_URL,
      enrichment: config.ENRICHMENT_URL,
      embedding: config.EMBEDDING_URL,
      retrieval: config.RETRIEVAL_URL,
    }),
    accepting: lifecycle.accepting,
  });
  lifecycle.onShutdown('http', 'gateway', () => gateway.close());
  try {
    const url = await gateway.listen();
    lifecycle.started();
    return { name: 'gateway', url, lifecycle };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
};

const subgraphsOf = (urls: Record<string, string | undefined>): Record<string, RemoteSubgraph> =>
  Object.fromEntries(
    Object.entries(urls).flatMap(([name, url]) => (url ? [[name, { url: new URL('/graphql', url).href }]] : [])),
  );

const outOfReach = (): Promise<never> =>
  Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'The ingestion service is out of reach for bytes.'));

const uploads: Uploads = { accept: outOfReach };
const bytes: DocumentBytes = { text: outOfReach, original: outOfReach };
