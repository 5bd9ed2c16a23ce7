import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CodedError, type IdentitySeal, type Observers, type Requests } from '@postmaster/contracts';
import { healthAnswers, type Log, type Metrics, nestLogger } from '@postmaster/service';
import express, { type Express } from 'express';
import { authenticate } from './callers/authenticate.js';
import { reuseTokens } from './callers/reuse-tokens.js';
import { sessionSeal } from './callers/session.js';
import { signInLinks } from './callers/sign-in-links.js';
import type { DocumentBytes, Uploads } from './document-bytes.js';
import type { Front } from './front.js';
import { GATEWAY_DEFAULTS, type GatewayConfig } from './gateway-config.js';
import { GatewayModule } from './gateway.module.js';
import { federatedGraph, readSupergraph } from './graph/federated-graph.js';
import { followSupergraph, readSupergraphFile } from './graph/follow-supergraph.js';
import { mountGraphql } from './graph/graphql-routes.js';
import type { Subgraph, SubgraphParts } from './graph/subgraph-source.js';
import { subscribe } from './graph/subscribe.js';
import { closerOf } from './http/close-server.js';
import { allowOrigins, requestFacts, securityHeaders } from './http/front-middleware.js';
import { ProblemFilter } from './http/problem.filter.js';
import { askToLeave, limitServer, requestWithin } from './http/server-limits.js';
import { serverTiming } from './http/server-timing.js';
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
  /** The composed one, unless told; config.supergraphPath goes before it. */
  supergraph?: string;
  /** False once stopping: readiness goes by it. */
  accepting?: () => boolean;
  /** The W3C trace context of what runs now, for the `traceparent` header to remote subgraphs. */
  traceparent?: () => string | undefined;
}

export interface Gateway {
  readonly app: NestExpressApplication;
  /** Serves; gives the address it got. Throws PORT_TAKEN. */
  listen(): Promise<string>;
  /** An address that signs one browser in, within 10 minutes. For the terminal, never for the log. */
  newSignInLink(): string;
  /** Ends streams at once and running requests within config.closeWithinMs, 5 seconds unless told. */
  close(): Promise<void>;
}

/** Pages and their scripts: found from src/ and dist/ alike. */
const PAGE = fileURLToPath(new URL('../page', import.meta.url));

/** The front door. Nothing listens yet when this resolves, but the graph is ready. */
export const createGateway = async (parts: GatewayParts): Promise<Gateway> => {
  const { requests, observers, subgraphs, log, metrics, accepting } = parts;
  const seal = reuseTokens(parts.seal);
  const config = { ...GATEWAY_DEFAULTS, ...parts.config };
  const [stop, cut] = [new AbortController(), new AbortController()];
  setMaxListeners(0, stop.signal, cut.signal); // each running request is one
  const { supergraphPath: path, supergraphPollMs } = config;
  const supergraph = path === undefined ? (parts.supergraph ?? readSupergraph()) : await readSupergraphFile(path);
  const graph = await federatedGraph(supergraph, subgraphs, subgraphParts(config, parts));
  const sessions = sessionSeal(config.sessionSecret);
  const links = signInLinks();
  const front: Front = {
    ...{ config, log, graph, links, sessions, seal, requests, uploads: parts.uploads, bytes: parts.bytes },
    authenticate: authenticate({
      ...{ requests, seal, sessions, adminKey: config.adminKey },
      remember: { freshMs: config.keyCacheMs, staleMs: config.keyStaleMs },
    }),
    subscribe: subscribe({ graph, seal, requests, observers, log, operationTimeoutMs: config.operationTimeoutMs }),
  };
  const app = await NestFactory.create<NestExpressApplication>(
    GatewayModule.of(front, healthAnswers({ metrics, accepting, checks: { supergraph: () => graph.schema } })),
    { logger: nestLogger(log), abortOnError: false, bodyParser: false },
  );
  app.useGlobalFilters(new ProblemFilter(log));
  const web = app.getHttpAdapter().getInstance() as Express; // platform-express
  web.disable('x-powered-by');
  const leaving = () => stop.signal.aborted || accepting?.() === false;
  const facts = requestFacts(log, { stopping: stop.signal, cutting: cut.signal }, metrics);
  web.use(facts, serverTiming, askToLeave(leaving), requestWithin(config.requestTimeoutMs));
  web.use(securityHeaders, allowOrigins(config.corsOrigins));
  mountGraphql(web, front);
  mountApiDocs(web, parts.version ?? '0.0.0');
  web.use(express.static(PAGE, { maxAge: 0 }));
  await app.init();

  const server = app.getHttpServer();
  limitServer(server);
  const closeServer = closerOf(server);
  const unfollow =
    path === undefined
      ? undefined
      : followSupergraph(graph, { path, first: supergraph, everyMs: supergraphPollMs }, log);
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
      await unfollow?.();
      await closeServer({ stop, cut, close: () => app.close(), withinMs: config.closeWithinMs });
      await graph.stop();
    },
  };
};

const subgraphParts = (config: Front['config'], { log, traceparent }: GatewayParts): SubgraphParts => ({
  ...{ log, traceparent },
  limits: {
    connectTimeoutMs: config.subgraphConnectTimeoutMs,
    responseTimeoutMs: config.subgraphTimeoutMs,
    maxResponseBytes: config.subgraphMaxBytes,
  },
  slowTimeoutMs: Math.max(config.operationTimeoutMs, config.subgraphTimeoutMs),
});

const listen = async (app: NestExpressApplication, { port, host }: GatewayConfig): Promise<void> => {
  try {
    await app.listen(port, host);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new CodedError('PORT_TAKEN', `Port ${port} on ${host} is in use.`, { cause });
    throw cause;
  }
};
