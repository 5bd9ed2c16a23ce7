import {
  type DomainEvent,
  EventEnvelope,
  SCHEMA_VERSION,
  subjectOf,
  TenantId,
  TRACE_EXTENSION,
} from '@postmaster/contracts';
import type { z } from 'zod';

export { MAX_EVENT_BYTES, readEvent, type ReadEvent } from '@postmaster/contracts';

/** The headers of a message, beside the one that the broker knows it by. */
export const TRACE_HEADER = TRACE_EXTENSION;
const MEDIA_TYPE = 'application/cloudevents+json';

export interface EventMessage {
  subject: string;
  body: Uint8Array;
  headers: Record<string, string>;
}

/** An event as it goes over the bus: a CloudEvent 1.0 in structured JSON. */
export const messageOf = (event: DomainEvent, service: string): EventMessage => {
  const subject = subjectOf(event.type, event.tenant);
  const envelope: z.input<typeof EventEnvelope> = {
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

/** The tenant that a subject names, whatever is in the message. */
export const tenantOf = (subject: string): TenantId | undefined => TenantId.safeParse(subject.split('.')[2]).data;
