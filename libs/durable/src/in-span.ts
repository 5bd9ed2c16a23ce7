import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { CodedError } from '@postmaster/contracts';

export interface SpanFacts {
  /** Whose child it is; of what runs now, unless told. */
  parent?: Context;
  kind?: SpanKind;
  attributes?: Attributes;
  links?: Link[];
}

export const startSpan = (name: string, { parent = context.active(), ...facts }: SpanFacts): Span =>
  trace.getTracer('postmaster').startSpan(name, facts, parent);

/** Ends a span; a failure is told by its code or class, for messages may quote what no trace should hold. */
export const endSpan = (span: Span, error?: unknown): void => {
  if (error !== undefined) {
    const type = error instanceof CodedError ? error.code : error instanceof Error ? error.name : 'unknown';
    span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR, message: type });
  }
  span.end();
};

/**
 * Runs in a span that lasts until the promise that `run` gives has settled, or its generator has ended. A plain value
 * is passed on and leaves no span: it took no time worth telling. Without tracing this is `run()`.
 */
export const inSpan = <R>(name: string, facts: SpanFacts, run: (span: Span) => R): R => {
  const span = startSpan(name, facts);
  if (!isSpanContextValid(span.spanContext())) return run(span);
  const within = trace.setSpan(facts.parent ?? context.active(), span);
  try {
    const made = context.with(within, run, undefined, span);
    if (isPromise(made)) return endWith(made, span) as R; // the same promise's value, later by the end of the span
    if (isGenerator(made)) return generateWithin(made, within, span) as R; // gives the same items
    return made;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
};

const isPromise = (made: unknown): made is Promise<unknown> =>
  typeof made === 'object' && made !== null && 'then' in made && typeof made.then === 'function';

/** Streams are iterable too, and more than that: they are left as they are. */
const isGenerator = (made: unknown): made is AsyncGenerator<unknown> =>
  typeof made === 'object' && made !== null && Symbol.asyncIterator in made && 'next' in made && 'return' in made;

const endWith = async <T>(made: Promise<T>, span: Span): Promise<T> => {
  try {
    const value = await made;
    endSpan(span);
    return value;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
};

/** A generator's body runs wherever it is asked for its next item: each time, then, within the span. */
async function* generateWithin<T>(items: AsyncGenerator<T>, within: Context, span: Span): AsyncGenerator<T> {
  let failure: unknown;
  try {
    for (;;) {
      const next = await context.with(within, () => items.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    failure = error ?? new Error('thrown without an error');
    throw error;
  } finally {
    await context.with(within, () => items.return(undefined));
    endSpan(span, failure);
  }
}
