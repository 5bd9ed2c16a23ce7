import type { RequestHandler } from 'express';
import type { Answer } from './locals.js';

/** How long the parts of a request took. */
export interface Timings {
  add(part: string, ms: number): void;
  /** The value of a Server-Timing header: names and milliseconds, in the order in which the parts ended. */
  header(): string;
}

/** What is asked of subgraphs in a loop is no reason for an endless header. */
const MOST_PARTS = 30;

export const timings = (began = performance.now()): Timings => {
  const parts: string[] = [];
  const entry = (part: string, ms: number) => `${part.replace(/[^\w-]/g, '_')};dur=${ms.toFixed(2)}`;
  return {
    add: (part, ms) => {
      if (parts.length < MOST_PARTS) parts.push(entry(part, ms));
    },
    header: () => [entry('gateway', performance.now() - began), ...parts].join(', '),
  };
};

const TIMED = /^\/(graphql|api|documents)(\/|$)/;

/** Says in each answer of the API where its time went: `gateway` (up to the first byte), `auth`, `graph`, each subgraph. */
export const serverTiming: RequestHandler = (req, res, next) => {
  if (!TIMED.test(req.path)) return next();
  const noted = timings();
  (res as Answer).locals.timings = noted;
  const writeHead = res.writeHead;
  res.writeHead = ((...args: Parameters<typeof writeHead>) => {
    if (!res.headersSent) res.setHeader('server-timing', noted.header());
    return writeHead.apply(res, args);
  }) as typeof writeHead; // its overloads
  next();
};
