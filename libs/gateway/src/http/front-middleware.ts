import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { newId } from '@postmaster/contracts';
import { inRequestSpan, type Log, type Metrics } from '@postmaster/service';
import type { Locals } from './locals.js';

/** How a server closes: streams and then, when it waits no longer, whatever still runs. */
export interface Closing {
  stopping: AbortSignal;
  cutting: AbortSignal;
}

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Gives each request an id (the caller's, where it is a decent one), a signal that ends with it, and a line in the log. */
export const requestFacts =
  (log: Log, { stopping, cutting }: Closing, metrics?: Metrics): RequestHandler =>
  (req: Request, res: Response, next: NextFunction) => {
    const given = req.header('x-request-id');
    const requestId = given && REQUEST_ID.test(given) ? given : newId();
    const gone = new AbortController();
    const ending = new AbortController();
    const end = () => ending.abort();
    const leave = () => gone.abort();
    stopping.addEventListener('abort', end);
    cutting.addEventListener('abort', leave);
    const locals: Locals = { requestId, signal: gone.signal, ending: ending.signal };
    Object.assign(res.locals, locals);
    res.setHeader('x-request-id', requestId);
    const began = performance.now();
    const path = req.path; // without the query string: it may hold a sign-in code or a question
    res.once('close', () => {
      stopping.removeEventListener('abort', end);
      cutting.removeEventListener('abort', leave);
      end();
      leave();
      const ms = Math.round(performance.now() - began);
      metrics?.requestSeconds.observe({ route: routeOf(path), status: String(res.statusCode) }, ms / 1000);
      const { tenant } = res.locals as Locals;
      log.info({ requestId, method: req.method, path, status: res.statusCode, ms, tenant }, 'answered');
    });
    inRequestSpan(req, res, { route: routeOf(path), requestId, trusted: false }, next);
  };

/** A path by its kind: ids make no metrics of their own. */
const routeOf = (path: string): string => {
  const [, kind] =
    /^(\/graphql(?:\/stream)?|\/api\/v1\/\w+|\/mcp|\/documents\/upload|\/health|\/metrics|\/sign-in)(?:\/|$)/.exec(
      path,
    ) ?? [];
  return kind ?? 'page';
};

/** Nothing but what is served from here, in no one else's frame. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('content-security-policy', PAGE_POLICY);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('x-frame-options', 'DENY');
  res.setHeader('referrer-policy', 'no-referrer');
  res.setHeader('cross-origin-resource-policy', 'same-origin');
  res.setHeader('cross-origin-opener-policy', 'same-origin');
  next();
};

/** Pages of the listed origins may call the API with a key in a header; cookies are never for them. */
export const allowOrigins = (origins: readonly string[]): RequestHandler => {
  const allowed = new Set(origins);
  return (req, res, next) => {
    const origin = req.header('origin');
    if (allowed.size > 0) res.vary('origin');
    if (!origin || !allowed.has(origin)) return next();
    res.setHeader('access-control-allow-origin', origin);
    res.setHeader(
      'access-control-expose-headers',
      'x-request-id, location, retry-after, server-timing, idempotency-replayed',
    );
    res.setHeader('cross-origin-resource-policy', 'cross-origin');
    if (req.method !== 'OPTIONS') return next();
    res.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    res.setHeader(
      'access-control-allow-headers',
      'authorization, x-api-key, content-type, x-request-id, idempotency-key',
    );
    res.setHeader('access-control-max-age', '600');
    res.status(204).end();
  };
};
