import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Identity, type IdentitySeal, requireScope, type Scope } from '@postmaster/contracts';
import { inRequestSpan } from '@postmaster/service';

/** The gateway's id of a request; only one of a form that may stand in a log. */
export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID();
};

export interface InternalRequest {
  req: IncomingMessage;
  res: ServerResponse;
  route: string;
  scope: Scope;
}

/**
 * Answers one request of the gateway, which nothing but a signed internal token opens, in a span of its trace. Throws
 * IDENTITY_INVALID, FORBIDDEN, and what `answer` throws.
 */
export const internalCall = async (
  seal: IdentitySeal,
  { req, res, route, scope }: InternalRequest,
  answer: (identity: Identity) => Promise<void>,
): Promise<void> => {
  const token = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1];
  const identity = await seal.open(token);
  requireScope(identity, scope);
  const asked = { method: req.method ?? 'GET', headers: req.headers };
  const facts = { route, requestId: requestIdOf(req), trusted: true };
  await new Promise<void>((resolve, reject) => {
    inRequestSpan(asked, res, facts, () => void answer(identity).then(resolve, reject));
  });
};
