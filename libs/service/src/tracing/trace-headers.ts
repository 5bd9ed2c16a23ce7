import { context, propagation, trace } from '@opentelemetry/api';

/** The headers by which a request to a service of ours belongs to the trace of what runs now; none without tracing. */
export const traceHeaders = (): Record<string, string> => {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
};

/** What a line in the log says of the trace that it was written in. */
export const traceOfLine = (): { trace_id?: string } => {
  const active = trace.getSpanContext(context.active());
  return active ? { trace_id: active.traceId } : {};
};
