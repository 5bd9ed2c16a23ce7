import {
  CloudEvent,
  type DomainEvent,
  type EventType,
  type Failure,
  failure,
  SCHEMA_VERSION,
  schemaOf,
  subjectOf,
  TenantId,
} from '@postmaster/contracts';
import { z } from 'zod';

/** The headers of a message, beside the one that the broker knows it by. */
export const TRACE_HEADER = 'traceparent';
const MEDIA_TYPE = 'application/cloudevents+json';

/** Larger ones are neither sent nor read unless told; it is what a server carries unless told. */
export const MAX_EVENT_BYTES = 1024 * 1024;

/** With the extension for traces; its id is a column of the inbox, which takes UUIDs alone. */
const Envelope = CloudEvent.extend({ id: z.guid(), [TRACE_HEADER]: z.string().optional() });

export interface EventMessage {
  subject: string;
  body: Uint8Array;
  headers: Record<string, string>;
}

/** An event as it goes over the bus: a CloudEvent 1.0 in structured JSON. */
export const messageOf = (event: DomainEvent, service: string): EventMessage => {
  const subject = subjectOf(event.type, event.tenant);
  const envelope: z.input<typeof Envelope> = {
    specversion: '1.0',
    id: event.id,
    source: `postmaster/${service}`,
    type: event.type,
    subject,
    time: event.time,
    datacontenttype: 'application/json',
    dataschema: `postmaster:${event.type}:${SCHEMA_VERSION}`,
    tenant: event.tenant,
    ...(event.traceparent ? { [TRACE_HEADER]: event.traceparent } : {}),
    data: event.data,
  };
  return {
    subject,
    body: new TextEncoder().encode(JSON.stringify(envelope)),
    headers: { 'content-type': MEDIA_TYPE, ...(event.traceparent ? { [TRACE_HEADER]: event.traceparent } : {}) },
  };
};

/** What can't be read as an event is told by its reason: another try would end the same. */
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
  const { success, data: envelope, error } = Envelope.safeParse(json);
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
  const traceparent = envelope[TRACE_HEADER] ?? (trace || undefined);
  return { event: { id, type, tenant, time, data: data.data, traceparent } as DomainEvent }; // parsed by the type's schema
};

/** The tenant that a subject names, whatever is in the message. */
export const tenantOf = (subject: string): TenantId | undefined => TenantId.safeParse(subject.split('.')[2]).data;

const refusal = (code: Parameters<typeof failure>[0], message: string): { why: Failure } => ({
  why: failure(code, message),
});

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
