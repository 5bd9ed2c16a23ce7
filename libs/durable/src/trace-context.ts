import { type Context, context, createContextKey, propagation, ROOT_CONTEXT } from '@opentelemetry/api';

/** Where documents are worked on together that were caused apart: each one's own trace. */
const CAUSES = createContextKey('postmaster.causes');
export type Causes = ReadonlyMap<string, Context>;

export const withCauses = (around: Context, causes: Causes): Context => around.setValue(CAUSES, causes);

/** The W3C traceparent of what runs now, or of what caused the work on this document; null where nothing is traced. */
export const traceparentNow = (document?: string): string | null => {
  const now = context.active();
  const causes = now.getValue(CAUSES) as Causes | undefined; // withCauses alone sets it
  const carrier: { traceparent?: string } = {};
  propagation.inject((document !== undefined && causes?.get(document)) || now, carrier);
  return carrier.traceparent ?? null;
};

/** What a traceparent names, as a parent of spans; nothing where it is absent or malformed, or nothing is traced. */
export const contextOf = (traceparent: string | null | undefined): Context =>
  traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
