import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Module } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { identitySeal, TenantId } from '@postmaster/contracts';
import { SpanKind, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { createLog, inRequestSpan, type RunningSubgraph, startSubgraph, startTracing, type Tracing } from '../index.js';

@Resolver()
class Here {
  @Query('here')
  here() {
    return trace.getActiveSpan()?.spanContext().traceId ?? null;
  }
}
@Module({})
class HereModule {}

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const log = createLog({ name: 'test', level: 'silent', pretty: false });
const TRACE = 'a'.repeat(32);
const CALLER = `00-${TRACE}-${'b'.repeat(16)}-01`;

const ended = new InMemorySpanExporter();
let tracing: Tracing | undefined;
let subgraph: RunningSubgraph;
let url: string;
beforeAll(async () => {
  tracing = await startTracing({ service: 'here', version: '1', endpoint: undefined, log, exporter: ended });
  subgraph = await startSubgraph({
    ...{ name: 'here', typeDefs: 'type Query { here: String }', seal, log },
    module: { module: HereModule, providers: [Here] },
  });
  url = await subgraph.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await subgraph.close();
  await tracing?.stop();
});

const ask = async (token: string, headers: Record<string, string> = {}): Promise<string | null | undefined> => {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-request-id': 'r1', ...headers },
    body: JSON.stringify({ query: '{ here }' }),
  });
  return (await answer.json()).data?.here;
};
const spanOf = async (act: () => Promise<unknown>): Promise<ReadableSpan> => {
  ended.reset();
  await act();
  while (ended.getFinishedSpans().length === 0) await tracing?.flush(); // it ends when the response has gone out
  return ended.getFinishedSpans()[0]!;
};
const token = (): Promise<string> => seal.sign({ tenant: TenantId.parse('ours'), subject: 'key-1', scopes: ['read'] });

describe('a request', () => {
  it('is in its trace where its body is read by events, as an upload is', async () => {
    const traces: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      const read = (): void => {
        request.on('data', () => traces.push(trace.getActiveSpan()?.spanContext().traceId));
        request.on('end', () => response.end());
      };
      inRequestSpan(request, response, { route: '/upload', requestId: 'r2', trusted: false }, read);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const body = new ReadableStream({
      start: async (to) => {
        for (let part = 0; part < 3; part++) {
          to.enqueue(new TextEncoder().encode('x'.repeat(100_000)));
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        to.close();
      },
    });
    try {
      const init = { method: 'PUT', body, duplex: 'half' } as RequestInit;
      const span = await spanOf(() => fetch(`http://127.0.0.1:${port}/`, init));
      expect(span.name).toBe('PUT /upload');
      expect(new Set(traces)).toEqual(new Set([span.spanContext().traceId]));
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('a request at a subgraph', () => {
  it('goes on with the trace of a sender that carries our token, down to the resolver', async () => {
    let here: string | null | undefined;
    const span = await spanOf(async () => (here = await ask(await token(), { traceparent: CALLER })));
    expect(here).toBe(TRACE);
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'postmaster.request_id': 'r1',
    });
  });

  it("has a trace of its own where the sender is a stranger, linked to the stranger's", async () => {
    const span = await spanOf(() => ask('nonsense', { traceparent: CALLER }));
    expect(span.spanContext().traceId).not.toBe(TRACE);
    expect(span.links.map((link) => link.context.traceId)).toEqual([TRACE]);
  });

  it('has a trace of its own where the sender names none, or no proper one', async () => {
    for (const headers of [{}, { traceparent: 'nonsense' }]) {
      const span = await spanOf(async () => ask(await token(), headers as Record<string, string>));
      expect(span.parentSpanContext).toBeUndefined();
    }
  });
});
