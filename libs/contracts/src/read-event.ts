import { z } from 'zod';
import { CloudEvent, type DomainEvent, type EventType, SCHEMA_VERSION, schemaOf, subjectOf } from './events.js';
import type { ErrorCode } from './error-codes.js';
import { failure } from './errors.js';
import type { Failure } from './failure.js';

/** The extension of an event's envelope that names the trace it belongs to, and the header that says the same. */
export const TRACE_EXTENSION = 'traceparent';

/** With the extension for traces; its id is a column of the inbox, which takes UUIDs alone. */
export const EventEnvelope = CloudEvent.extend({ id: z.guid(), [TRACE_EXTENSION]: z.string().optional() });

/** Larger events are neither sent nor read unless told; it is what a bus carries unless told. */
export const MAX_EVENT_BYTES = 1024 * 1024;

/** What can't be read as an event is told by its reason: another try would end the same, until the reader is another. */
export type ReadEvent = { event: DomainEvent } | { why: Failure };

/** Reads what came on a subject. What its headers say of the trace counts only where the envelope says nothing. */
export const readEvent = (
  subject: string,
  body: Uint8Array,
  { trace, maxBytes = MAX_EVENT_BYTES }: { trace?: string; maxBytes?: number } = {},
): ReadEvent => {
  if (body.length > maxBytes)
    return refusal('EVENT_TOO_LARGE', `${body.length} bytes on ${subject}; at most ${maxBytes} are read.`);
  const json = parseJson(body);
  if (json === undefined) return refusal('EVENT_MALFORMED', `A message on ${subject} is not JSON.`);
  const { success, data: envelope, error } = EventEnvelope.safeParse(json);
  if (!success) return refusal('EVENT_MALFORMED', `A message on ${subject} is no CloudEvent of ours: ${flaws(error)}.`);
  const { id, type, tenant, time, dataschema } = envelope;
  const schema = schemaOf(type);
  if (!(schema instanceof z.ZodType))
    return refusal('EVENT_UNKNOWN', `The type "${type}" of a message on ${subject} is not known.`);
  if (envelope.subject !== subject || subjectOf(type as EventType, tenant) !== subject)
    // schemaOf knows it
    return refusal('EVENT_MALFORMED', `A message on ${subject} says that it is "${type}" of the tenant "${tenant}".`);
  if (dataschema !== `postmaster:${type}:${SCHEMA_VERSION}`)
    return refusal('EVENT_UNKNOWN', `${dataschema} is not known here; version ${SCHEMA_VERSION} is.`);
  const data = schema.safeParse(envelope.data);
  if (!data.success) return refusal('EVENT_MALFORMED', `The data of a ${type} are wrong: ${flaws(data.error)}.`);
  const traceparent = envelope[TRACE_EXTENSION] ?? (trace || undefined);
  return { event: { id, type, tenant, time, data: data.data, traceparent } as DomainEvent }; // parsed by the type's schema
};

const refusal = (code: ErrorCode, message: string): { why: Failure } => ({ why: failure(code, message) });

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};

/** Where it does not fit; never what stands there, which may be a document's text. */
const flaws = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(({ path, code }) => `${path.join('.') || 'it'} (${code})`)
    .join(', ');
