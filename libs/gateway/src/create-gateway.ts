import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CodedError, type IdentitySeal, type Observers, type Requests } from '@postmaster/contracts';
import { healthAnswers, type Log, type Metrics, nestLogger } from '@postmaster/service';
import express, { type Express } from 'express';
import { authenticate } from './callers/authenticate.js';
import { sessionSeal } from './callers/session.js';
import { signInLinks } from './callers/sign-in-links.js';
import type { DocumentBytes, Uploads } from './document-bytes.js';
import type { Front } from './front.js';
import { GATEWAY_DEFAULTS, type GatewayConfig } from './gateway-config.js';
import { GatewayModule } from './gateway.module.js';
import { federatedGraph, readSupergraph } from './graph/federated-graph.js';
import { mountGraphql } from './graph/graphql-routes.js';
import type { Subgraph } from './graph/subgraph-source.js';
import { subscribe } from './graph/subscribe.js';
import { allowOrigins, requestFacts, securityHeaders } from './http/front-middleware.js';
import { ProblemFilter } from './http/problem.filter.js';
import { mountApiDocs } from './rest/api-docs.js';

export interface GatewayParts {
  config: GatewayConfig;
  seal: IdentitySeal;
  requests: Pick<Requests, 'ask' | 'stream'>;
  observers: Observers;
  /** By name; one that is absent is answered for with SERVICE_UNAVAILABLE. */
  subgraphs: Readonly<Record<string, Subgraph>>;
  uploads: Uploads;
  bytes: DocumentBytes;
  log: Log;
  metrics?: Metrics;
  /** Of the software, for the API's description. */
  version?: string;
  /** The composed one, unless told. */
  supergraph?: string;
  /** False once stopping: readiness goes by it. */
  accepting?: () => boolean;
}

export interface Gateway {
  readonly app: NestExpressApplication;
  /** Serves; gives the address it got. Throws PORT_TAKEN. */
  listen(): Promise<string>;
  /** An address that signs one browser in, within 10 minutes. For the terminal, never for the log. */
  newSignInLink(): string;
  /** Ends streams at once and running requests within 5 seconds. */
  close(): Promise<void>;
}

/** Pages and their scripts: found from src/ and dist/ alike. */
const PAGE = fileURLToPath(new URL('../page', import.meta.url));

const CLOSE_WITHIN_MS = 5_000;
/** Of a whole request; Node's own limit would cut a large file on a slow line after five minutes. */
const UPLOAD_WITHIN_MS = 3_600_000;

/** The front door. Nothing listens yet when this resolves, but the graph is ready. */
export const createGateway = async (parts: GatewayParts): Promise<Gateway> => {
  const { seal, requests, observers, subgraphs, log, metrics, accepting } = parts;
  const config = { ...GATEWAY_DEFAULTS, ...parts.config };
  const closing = new AbortController();
  const graph = await federatedGraph(parts.supergraph ?? readSupergraph(), subgraphs, log);
  const sessions = sessionSeal(config.sessionSecret);
  const links = signInLinks();
  const front: Front = {
    ...{ config, log, graph, links, sessions, seal, uploads: parts.uploads, bytes: parts.bytes },
    authenticate: authenticate({ requests, seal, sessions, adminKey: config.adminKey }),
    subscribe: subscribe({ graph, seal, requests, observers, log, operationTimeoutMs: config.operationTimeoutMs }),
  };
  const app = await NestFactory.create<NestExpressApplication>(
    GatewayModule.of(front, healthAnswers({ metrics, accepting })),
    { logger: nestLogger(log), abortOnError: false, bodyParser: false },
  );
  app.useGlobalFilters(new ProblemFilter(log));
  const web = app.getHttpAdapter().getInstance() as Express; // platform-express
  web.disable('x-powered-by');
  web.use(requestFacts(log, closing.signal, metrics), securityHeaders, allowOrigins(config.corsOrigins));
  mountGraphql(web, front);
  mountApiDocs(web, parts.version ?? '0.0.0');
  web.use(express.static(PAGE, { maxAge: 0 }));
  await app.init();

  const server = app.getHttpServer();
  server.requestTimeout = UPLOAD_WITHIN_MS;
  const address = (): string => {
    const at = server.address() as AddressInfo | null; // TCP only
    const host = at?.family === 'IPv6' ? `[${at.address}]` : (at?.address ?? config.host);
    return `http://${host}:${at?.port ?? config.port}`;
  };
  return {
    app,
    listen: async () => {
      await listen(app, config);
      return address();
    },
    newSignInLink: () => `${config.publicUrl ?? address()}/sign-in?code=${links.make()}`,
    close: async () => {
      closing.abort();
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
      await app.close();
      clearTimeout(cut);
      await graph.stop();
    },
  };
};

const listen = async (app: NestExpressApplication, { port, host }: GatewayConfig): Promise<void> => {
  try {
    await app.listen(port, host);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new CodedError('PORT_TAKEN', `Port ${port} on ${host} is in use.`, { cause });
    throw cause;
  }
};
