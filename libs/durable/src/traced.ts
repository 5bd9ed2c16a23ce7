import { SpanKind } from '@opentelemetry/api';
import type { Consumer, DomainEvent, EventType } from '@postmaster/contracts';
import { inSpan } from './in-span.js';
import { contextOf, traceparentNow } from './trace-context.js';

/** The same port, with a span for each of its calls that takes time: `<name>.<method>`, and how many things it was given. */
export const traced = <P extends object>(name: string, port: P): P =>
  new Proxy(port, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const many = args.find((one) => Array.isArray(one));
        const attributes = { 'postmaster.port': name, 'postmaster.count': many?.length };
        const call = (): unknown => Reflect.apply(member, target, args);
        return inSpan(`${name}.${String(key)}`, { kind: SpanKind.CLIENT, attributes }, call);
      };
    },
  });

/** The same consumer, which handles each event in a span of the trace that caused the event. */
export const tracedConsumer = <T extends EventType>(consumer: Consumer<T>): Consumer<T> => ({
  ...consumer,
  handle: (event) => inTraceOf(event, `handle ${consumer.name}`, () => consumer.handle(event)),
});

/** Handles an event in a span of the trace that caused it; where nobody traced that, in one of a new trace. */
export const inTraceOf = <R>(event: DomainEvent, name: string, run: () => R): R =>
  inSpan(
    name,
    {
      parent: contextOf(event.traceparent),
      kind: SpanKind.CONSUMER,
      attributes: {
        'messaging.message.id': event.id,
        'postmaster.event': event.type,
        'postmaster.tenant': event.tenant,
        'postmaster.document': 'document' in event.data ? event.data.document : undefined,
      },
    },
    run,
  );

/** What goes along with a request, or with anything else that goes by names: the trace that it belongs to. */
export interface TraceCarrier {
  traceparent?: string;
}

/** Puts the trace of what runs now into what is sent; leaves it as it is where nothing is traced. */
export const injectTrace = (carrier: TraceCarrier): void => {
  const traceparent = traceparentNow();
  if (traceparent) carrier.traceparent = traceparent;
};

/** Answers in a span of the trace of whoever asked. Only for carriers of senders that are trusted. */
export const withTraceOf = <R>(carrier: TraceCarrier, name: string, run: () => R): R =>
  inSpan(name, { parent: contextOf(carrier.traceparent), kind: SpanKind.SERVER }, run);
