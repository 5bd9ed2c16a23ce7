import { graphqlErrorOf } from '@postmaster/service';
import type { RequestHandler } from 'express';
import type { ExecutionResult } from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/express';
import { type Front, identify } from '../front.js';
import type { Answer } from '../http/locals.js';
import { stopping } from '../http/server-sent-events.js';
import { untilEnding } from '../http/until-ending.js';

/** Operations over server-sent events (the protocol of graphql-sse, a connection for each). It sends a heartbeat every 12 s. */
export const streamRoute = (front: Front): RequestHandler => {
  const handler = createHandler({
    authenticate: () => null, // no stream is kept for several operations
    onSubscribe: async ({ raw, context: { res } }, { query, operationName, variables }) => {
      const { requestId, ending } = (res as Answer).locals;
      const subscriber = {
        identify: () => identify(front, raw, res as Answer),
        readOnly: raw.method !== 'POST',
        ...{ requestId, signal: ending },
      };
      const request = { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
      const results = await front.subscribe(subscriber, request);
      const last = (): ExecutionResult => ({ errors: [graphqlErrorOf(stopping(), requestId)] });
      return Symbol.asyncIterator in results ? untilEnding(results, ending, last) : only(results);
    },
  });
  return async (req, res) => {
    // who accepts several types, as GraphiQL does, is served the stream
    if (req.headers.accept?.includes('text/event-stream')) req.headers.accept = 'text/event-stream';
    await identify(front, req, res as Answer);
    await handler(req, res);
  };
};

/** The library takes a result without data for something else. */
async function* only<T>(result: T): AsyncGenerator<T, void> {
  yield result;
}
