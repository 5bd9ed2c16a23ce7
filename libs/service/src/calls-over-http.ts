import { randomUUID } from 'node:crypto';
import type { RefusedContext, SubgraphCall, SubgraphContext } from './subgraph-context.js';
import { inRequestSpan, type TracedRequest, type TracedResponse } from './tracing/request-spans.js';

/** A request as express has it. */
export interface AskedOverHttp extends TracedRequest {
  get(header: string): string | undefined;
  res?: TracedResponse;
}

export interface CallsOverHttp {
  /** Opens the token and answers in a span, of the sender's trace where the token is good. For the route `/graphql`. */
  receive(request: AskedOverHttp, response: TracedResponse, next: (error?: unknown) => void): Promise<void>;
  contextOf(request: AskedOverHttp): Promise<SubgraphContext | RefusedContext>;
}

/** Requests that a subgraph is asked over HTTP, as calls: each token is opened once, before anything else is believed. */
export const callsOverHttp = (
  open: (call: SubgraphCall) => Promise<SubgraphContext | RefusedContext>,
): CallsOverHttp => {
  const opened = new WeakMap<AskedOverHttp, SubgraphContext | RefusedContext>();
  return {
    receive: async (request, response, next) => {
      try {
        const context = await open(callOf(request, response));
        opened.set(request, context);
        const { requestId, identity } = context;
        inRequestSpan(request, response, { route: '/graphql', requestId, trusted: identity !== undefined }, next);
      } catch (error) {
        next(error);
      }
    },
    contextOf: async (request) => opened.get(request) ?? open(callOf(request, request.res)),
  };
};

const callOf = (request: AskedOverHttp, response: TracedResponse | undefined): SubgraphCall => {
  const gone = new AbortController();
  response?.once('close', () => gone.abort());
  return {
    token: /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1],
    requestId: request.get('x-request-id') ?? randomUUID(),
    signal: gone.signal,
  };
};
