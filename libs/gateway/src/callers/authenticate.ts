import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  CodedError,
  GATEWAY_SUBJECT,
  type Identity,
  type IdentitySeal,
  type Requests,
  TenantId,
  verifyKey,
} from '@postmaster/contracts';
import { requireSameOrigin } from './origin.js';
import { keyHashOf, sessionIn } from './session.js';
import { verifiedKeys, type VerifiedKeysOptions } from './verified-keys.js';

/** The tenant in whose name the gateway and the operator act: one that owns nothing. */
const NO_TENANT = TenantId.parse('gateway');

export interface AuthenticateParts {
  requests: Pick<Requests, 'ask'>;
  seal: IdentitySeal;
  sessions: IdentitySeal;
  /** The operator's key, where one is configured. */
  adminKey?: string;
  /** How long a key's answer is believed; asked each time unless told. */
  remember?: VerifiedKeysOptions;
}

export interface Asking {
  method: string;
  headers: IncomingHttpHeaders;
}

/** Who asks, by API key, operator's key or browser session. Throws KEY_MISSING, KEY_INVALID or ORIGIN_REFUSED. */
export type Authenticate = (asking: Asking) => Promise<Identity>;

export const authenticate = (parts: AuthenticateParts): Authenticate => {
  const verify = verifiedKeys(verifyKeyHash(parts), parts.remember ?? { freshMs: 0, staleMs: 0 });
  return async ({ method, headers }) => {
    const key = keyIn(headers);
    if (key !== undefined) return isOperator(key, parts.adminKey) ? OPERATOR : verify(hashOfKey(key));
    const cookie = sessionIn(headers.cookie);
    if (cookie === undefined) throw new CodedError('KEY_MISSING', 'The request carries no API key.');
    requireSameOrigin(method, headers);
    const session = await openSession(parts.sessions, cookie);
    const keyHash = keyHashOf(session);
    return keyHash === undefined ? session : verify(keyHash);
  };
};

const OPERATOR: Identity = { tenant: NO_TENANT, subject: 'operator', scopes: ['operator'] };

export const keyIn = ({ authorization, 'x-api-key': header }: IncomingHttpHeaders): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? (typeof header === 'string' && header ? header : undefined);

/** The key's plain SHA-256, in hex: all that leaves the gateway of it. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const isOperator = (key: string, adminKey: string | undefined): boolean =>
  adminKey !== undefined && timingSafeEqual(Buffer.from(hashOfKey(key)), Buffer.from(hashOfKey(adminKey)));

const verifyKeyHash =
  ({ requests, seal }: AuthenticateParts) =>
  async (keyHash: string): Promise<Identity> => {
    const token = await seal.sign({ tenant: NO_TENANT, subject: GATEWAY_SUBJECT, scopes: ['operator'] });
    const { key } = await requests.ask(verifyKey, token, { keyHash });
    if (!key) throw new CodedError('KEY_INVALID', 'The API key is not known, or was revoked.');
    return { tenant: key.tenant, subject: key.id, scopes: key.scopes };
  };

const openSession = async (sessions: IdentitySeal, cookie: string): Promise<Identity> => {
  try {
    return await sessions.open(cookie);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError('KEY_INVALID', 'The browser session has ended.', {
      next: 'Sign in again: restart the server for a new link, or send an API key.',
      cause: error,
    });
  }
};
