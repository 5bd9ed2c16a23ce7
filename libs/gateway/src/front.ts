import type { IncomingMessage } from 'node:http';
import type { Identity, IdentitySeal, Requests } from '@postmaster/contracts';
import type { Authenticate } from './callers/authenticate.js';
import type { SignInLinks } from './callers/sign-in-links.js';
import type { DocumentBytes, Uploads } from './document-bytes.js';
import type { GatewayConfig, GATEWAY_DEFAULTS } from './gateway-config.js';
import { type Call, callOf } from './graph/call.js';
import type { FederatedGraph } from './graph/federated-graph.js';
import type { Subscribe } from './graph/subscribe.js';
import type { Answer } from './http/locals.js';
import type { Log } from '@postmaster/service';

/** What every way in shares; the controllers get it whole. */
export interface Front {
  config: GatewayConfig & Required<Pick<GatewayConfig, keyof typeof GATEWAY_DEFAULTS>>;
  log: Log;
  graph: FederatedGraph;
  subscribe: Subscribe;
  authenticate: Authenticate;
  links: SignInLinks;
  sessions: IdentitySeal;
  seal: IdentitySeal;
  requests: Pick<Requests, 'ask' | 'stream'>;
  uploads: Uploads;
  bytes: DocumentBytes;
}

export const FRONT = Symbol('front');

/** Who asks, noted for the access log too. */
export const identify = async ({ authenticate }: Front, req: IncomingMessage, res: Answer): Promise<Identity> => {
  const began = performance.now();
  const identity = await authenticate({ method: req.method ?? 'GET', headers: req.headers });
  res.locals.timings?.add('auth', performance.now() - began);
  res.locals.tenant = identity.tenant;
  return identity;
};

export const callFor = (
  { seal, config }: Front,
  identity: Identity,
  { locals: { requestId, signal, timings } }: Answer,
): Call => callOf(seal, identity, { requestId, signal, timings, timeoutMs: config.operationTimeoutMs });
