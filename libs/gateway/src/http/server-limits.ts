import type { Server } from 'node:http';
import type { RequestHandler } from 'express';

/** Longer than the 60 s after which common load balancers drop a connection: it must be they who end it. */
const KEEP_ALIVE_MS = 65_000;
/** Of a whole request; Node's own limit would cut a large file on a slow line after five minutes. */
const UPLOAD_WITHIN_MS = 3_600_000;

export const limitServer = (server: Server): void => {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1_000;
  server.requestTimeout = UPLOAD_WITHIN_MS;
};

const UPLOADS: ReadonlySet<string> = new Set([
  '/api/v1/documents',
  '/api/v1/documents/upload',
  '/documents/upload',
  '/api/v1/ingest',
  '/api/v1/mail',
]);

/** 408 and the end of the connection for a request that does not come in within `ms`. Uploads have an hour. */
export const requestWithin =
  (ms: number): RequestHandler =>
  (req, res, next) => {
    if (UPLOADS.has(req.path) || req.readableEnded || req.headers['content-length'] === '0') return next();
    if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined) return next();
    const cut = setTimeout(() => {
      if (req.readableEnded || res.headersSent) return;
      res.once('finish', () => req.destroy());
      res.status(408).set('connection', 'close').end();
    }, ms);
    const inTime = () => clearTimeout(cut);
    req.once('end', inTime);
    res.once('close', inTime);
    next();
  };

/** While `leaving`, each answer asks for its connection to be closed: the next request goes to another replica. */
export const askToLeave =
  (leaving: () => boolean): RequestHandler =>
  (_req, res, next) => {
    const writeHead = res.writeHead;
    res.writeHead = ((...args: Parameters<typeof writeHead>) => {
      if (!res.headersSent && leaving()) res.setHeader('connection', 'close');
      return writeHead.apply(res, args);
    }) as typeof writeHead; // its overloads
    next();
  };
