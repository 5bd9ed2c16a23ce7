import { describe, expect, it } from 'vitest';
import { type DomainEvent, newId, TenantId } from '@postmaster/contracts';
import { messageOf, readEvent, tenantOf } from './envelope.js';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const event: DomainEvent<'document.progressed'> = {
  id: newId(),
  type: 'document.progressed',
  tenant: TenantId.parse('tenant-a'),
  time: '2026-01-02T03:04:05.678Z',
  data: { document: 'd1', version: 2 },
  traceparent: TRACE,
};
const SUBJECT = 'postmaster.work.tenant-a.document.progressed';
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const envelope = (changed: Record<string, unknown> = {}): Uint8Array => {
  const sent = JSON.parse(new TextDecoder().decode(messageOf(event, 'ingestion').body)) as Record<string, unknown>;
  return bytes({ ...sent, ...changed });
};
const codeOf = (subject: string, body: Uint8Array, maxBytes?: number): string => {
  const read = readEvent(subject, body, { maxBytes });
  return 'why' in read ? read.why.code : 'read';
};

describe('an event on the bus', () => {
  it('is a CloudEvent that reads back as it was, with its trace', () => {
    const { subject, body, headers } = messageOf(event, 'ingestion');
    expect(subject).toBe(SUBJECT);
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
      ...{ specversion: '1.0', id: event.id, source: 'postmaster/ingestion', type: event.type, subject },
      ...{ time: event.time, datacontenttype: 'application/json', tenant: 'tenant-a', traceparent: TRACE },
      ...{ dataschema: 'postmaster:document.progressed:1', data: event.data },
    });
    expect(headers).toEqual({ 'content-type': 'application/cloudevents+json', traceparent: TRACE });
    expect(readEvent(subject, body)).toEqual({ event });
  });

  it('takes the trace from the header where the envelope has none', () => {
    const body = envelope({ traceparent: undefined });
    expect(readEvent(SUBJECT, body, { trace: TRACE })).toEqual({ event });
    expect(readEvent(SUBJECT, body)).toEqual({ event: { ...event, traceparent: undefined } });
  });

  it.each<[string, Uint8Array]>([
    ['is not JSON', new TextEncoder().encode('{"id":')],
    ['is not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['is no CloudEvent', bytes({ hello: 'world' })],
    ['has an id that is no UUID', envelope({ id: 'seven' })],
    ['is of another tenant than its subject', envelope({ tenant: 'tenant-b' })],
    ['names another subject than its own', envelope({ subject: 'postmaster.work.tenant-b.document.progressed' })],
    ['is of another type than its subject', envelope({ type: 'document.deleted' })],
    ['has data of another form', envelope({ data: { document: 7 } })],
  ])('is refused when it %s', (_what, body) => {
    expect(codeOf(SUBJECT, body)).toBe('EVENT_MALFORMED');
  });

  it('is refused when its type or its version is not known', () => {
    expect(codeOf(SUBJECT, envelope({ type: 'document.painted' }))).toBe('EVENT_UNKNOWN');
    const odd = SUBJECT.replace('document.progressed', 'toString');
    expect(codeOf(odd, envelope({ type: 'toString', subject: odd }))).toBe('EVENT_UNKNOWN');
    expect(codeOf(SUBJECT, envelope({ dataschema: 'postmaster:document.progressed:2' }))).toBe('EVENT_UNKNOWN');
  });

  it('is refused when it is larger than the limit, before it is read', () => {
    expect(codeOf(SUBJECT, envelope(), 100)).toBe('EVENT_TOO_LARGE');
  });

  it('tells in no reason what stood in it', () => {
    const read = readEvent(SUBJECT, envelope({ data: { document: { secret: 'the plan' } } }));
    expect(JSON.stringify(read)).not.toContain('the plan');
  });

  it('has the tenant of its subject, where that is one', () => {
    expect(tenantOf(SUBJECT)).toBe('tenant-a');
    expect(tenantOf('postmaster.work.Not_One.document.progressed')).toBeUndefined();
    expect(tenantOf('postmaster.work')).toBeUndefined();
  });
});
