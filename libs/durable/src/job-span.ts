import { type Context, context, type Link, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { Outcome } from '@postmaster/contracts';
import { endSpan, inSpan, startSpan } from './in-span.js';
import type { Job } from './jobs.js';
import { contextOf, withCauses } from './trace-context.js';

interface Ended {
  job: Job;
  outcome: Outcome;
}

/**
 * Works on a group of jobs in a span `job <kind>`, child of what caused the first of them. Jobs of other traces are
 * linked, and have a span of their own in their own trace, of the same length: what is published or asked for on behalf
 * of a document carries that document's trace on. The calls made along the way are in the first job's trace.
 */
export const inJobSpan = (
  kind: string,
  jobs: readonly Job[],
  run: () => Promise<readonly Ended[]>,
): Promise<unknown> => {
  const [first, ...others] = tracesOf(jobs);
  const name = `job ${kind}`;
  const facts = {
    parent: first?.parent,
    kind: SpanKind.CONSUMER,
    attributes: factsOf(jobs),
    links: others.flatMap(({ parent }) => linkTo(parent)),
  };
  return inSpan(name, facts, async (span) => {
    const beside = others.map(({ parent, documents }) => {
      const attributes = { 'postmaster.tenant': jobs[0]?.tenant, 'postmaster.document': [...documents][0] };
      const own = startSpan(name, {
        parent,
        attributes,
        kind: SpanKind.CONSUMER,
        links: [{ context: span.spanContext() }],
      });
      return { span: own, documents };
    });
    const causes = new Map(
      beside.flatMap((one) =>
        [...one.documents].map((document) => [document, trace.setSpan(context.active(), one.span)]),
      ),
    );
    try {
      const ended = await (causes.size > 0 ? context.with(withCauses(context.active(), causes), run) : run());
      span.setAttributes(outcomesOf(ended));
    } finally {
      for (const one of beside) endSpan(one.span);
    }
  });
};

interface Trace {
  id: string | undefined;
  parent: Context;
  documents: Set<string>;
}

/** The traces of the jobs, each with its documents; a document counts for the first trace that names it. */
const tracesOf = (jobs: readonly Job[]): Trace[] => {
  const traces: Trace[] = [];
  for (const { trace: traceparent, document } of jobs) {
    const parent = contextOf(traceparent);
    const id = trace.getSpanContext(parent)?.traceId;
    const known = traces.find((one) => one.id === id);
    if (traces.some((one) => one.documents.has(document))) continue;
    if (known) known.documents.add(document);
    else traces.push({ id, parent, documents: new Set([document]) });
  }
  return traces;
};

const linkTo = (parent: Context): Link[] => {
  const target = trace.getSpanContext(parent);
  return target ? [{ context: target }] : [];
};

const factsOf = (jobs: readonly Job[]): NonNullable<Parameters<Span['setAttributes']>[0]> => ({
  'postmaster.tenant': jobs[0]?.tenant,
  'postmaster.document': jobs[0]?.document,
  'postmaster.jobs': jobs.length,
  'postmaster.attempts': Math.max(...jobs.map((job) => job.attempts)),
});

/** How many jobs ended how: `postmaster.done: 3`. */
const outcomesOf = (ended: readonly Ended[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of ended)
    counts[`postmaster.${outcome.kind}`] = (counts[`postmaster.${outcome.kind}`] ?? 0) + 1;
  return counts;
};
