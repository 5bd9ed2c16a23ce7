import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** What a span tells of a request; both express and Nest on express give these. */
export interface TracedRequest {
  method?: string;
  headers: Record<string, string | string[] | undefined>;
}
export interface TracedResponse {
  statusCode: number;
  once(event: 'close', listener: () => void): unknown;
}

export interface RequestFacts {
  /** By its kind: without ids, names or questions. */
  route: string;
  requestId: string;
  /**
   * Whether the sender is one of ours. Its trace goes on here; a stranger's is only linked to, for it must neither
   * fill our traces nor decide what is traced.
   */
  trusted: boolean;
}

/** Answers a request in a span of its own, which ends with the response. Without tracing this is `next()`. */
export const inRequestSpan = (
  request: TracedRequest,
  response: TracedResponse,
  { route, requestId, trusted }: RequestFacts,
  next: () => void,
): void => {
  const sent = propagation.extract(ROOT_CONTEXT, request.headers);
  const parent = trusted ? sent : ROOT_CONTEXT;
  const caller = trusted ? undefined : trace.getSpanContext(sent);
  const attributes: Attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'postmaster.request_id': requestId,
  };
  const facts = { kind: SpanKind.SERVER, attributes, links: caller ? [{ context: caller }] : [] };
  const span = trace.getTracer('postmaster').startSpan(`${request.method} ${route}`, facts, parent);
  if (!isSpanContextValid(span.spanContext())) return next();
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  const within = trace.setSpan(parent, span);
  context.bind(within, request); // its body's events come from the socket, whose context is nobody's
  context.with(within, next);
};
