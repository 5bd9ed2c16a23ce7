import { expressMiddleware } from '@as-integrations/express5';
import { CodedError } from '@postmaster/contracts';
import { graphqlErrorOf } from '@postmaster/service';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { callFor, type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { codedOf } from '../http/problem.js';
import type { Call } from './call.js';
import { graphiqlPage } from './graphiql.js';
import { mutateOnce } from './mutate-once.js';
import { streamRoute } from './stream-route.js';

/** /graphql for queries and mutations, GraphiQL for browsers that open it, /graphql/stream for subscriptions. */
export const mountGraphql = (app: Express, front: Front): void => {
  const json = express.json({ limit: front.config.maxJsonBytes });
  const calls = new WeakMap<object, Call>();
  const identified: RequestHandler = async (req, res, next) => {
    const answer = res as Answer;
    calls.set(req, callFor(front, await identify(front, req, answer), answer));
    next();
  };
  const context = async ({ req }: { req: object }) => {
    const call = calls.get(req);
    if (!call) throw new CodedError('KEY_MISSING', 'The request carries no API key.');
    return call;
  };
  const apollo: RequestHandler = (req, res, next) => {
    const { server, release } = front.graph.hold();
    res.once('close', release);
    return expressMiddleware(server, { context })(req, res, next);
  };
  app.use('/graphql/stream', json, streamRoute(front), tellFailure(front));
  const once = mutateOnce(front, (req) => calls.get(req));
  app.use('/graphql', showGraphiql, identified, json, once, apollo, tellFailure(front));
};

/** A browser that opens the address wants a page, not an answer. */
const showGraphiql: RequestHandler = async (req, res, next) => {
  if (req.method !== 'GET' || !req.accepts(['application/json', 'text/html'])?.toString().endsWith('html'))
    return next();
  const { html, policy } = await graphiqlPage();
  res.setHeader('content-security-policy', policy);
  res.type('html').send(html);
};

/** Failures before the graph was reached, in GraphQL's form. */
export const tellFailure =
  ({ log }: Front): ErrorRequestHandler =>
  (thrown: unknown, _req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { requestId } = (res as Answer).locals;
    const error = codedOf(thrown);
    if (error.code === 'INTERNAL') log.error({ requestId, err: error.cause ?? error }, 'a request failed unexpectedly');
    res.status(error.status).json({ errors: [graphqlErrorOf(error, requestId)] });
  };
