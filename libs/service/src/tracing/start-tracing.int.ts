import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { trace } from '@opentelemetry/api';
import { createLog, type Log, startTracing, traceHeaders, type Tracing } from '../index.js';

interface Line {
  level: number;
  msg: string;
  why?: string;
  trace_id?: string;
}

const lines: Line[] = [];
const log: Log = createLog({
  ...{ name: 'test', level: 'debug', pretty: false },
  to: new Writable({
    write: (line, _, next) => {
      lines.push(JSON.parse(String(line)));
      next();
    },
  }),
});

let server: Server | undefined;
let tracing: Tracing | undefined;
const start = async (endpoint: string | undefined): Promise<Tracing | undefined> =>
  (tracing = await startTracing({ service: 'parts', version: '1.2.3', endpoint, log }));

/** Takes spans as a collector does. */
const collector = async (answer = 200): Promise<{ url: string; bodies: { path?: string; text: string }[] }> => {
  const bodies: { path?: string; text: string }[] = [];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push({ path: request.url, text });
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
};
const span = (name: string, within: () => void = () => undefined): string =>
  trace.getTracer('test').startActiveSpan(name, (one) => {
    within();
    one.end();
    return one.spanContext().traceId;
  });

describe('tracing', () => {
  afterEach(async () => {
    await tracing?.stop();
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = tracing = undefined;
    lines.length = 0;
  });

  it('is off without a collector: no span is real, no header is sent, no line names one', async () => {
    expect(await start(undefined)).toBeUndefined();
    expect(span('nothing', () => log.info('said'))).toMatch(/^0+$/);
    expect(traceHeaders()).toEqual({});
    expect(lines[0]).not.toHaveProperty('trace_id');
  });

  it('sends the spans to the collector under the name of the process, those that wait at the stop too', async () => {
    const { url, bodies } = await collector();
    await start(`${url}/`);
    const id = span('asked');
    await tracing?.stop();
    expect(bodies.map(({ path }) => path)).toEqual(['/v1/traces']);
    const [sent] = JSON.parse(bodies[0]?.text ?? '').resourceSpans;
    expect(sent.scopeSpans[0].spans).toMatchObject([{ name: 'asked', traceId: id }]);
    expect(sent.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'parts' } },
        { key: 'service.version', value: { stringValue: '1.2.3' } },
      ]),
    );
    expect(span('afterwards')).toMatch(/^0+$/);
  });

  it('names its trace in headers and in the lines of the log', async () => {
    await start((await collector()).url);
    let headers: Record<string, string> = {};
    const id = span('asked', () => {
      headers = traceHeaders();
      log.info('said');
    });
    expect(headers.traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
    expect(lines[0]).toMatchObject({ msg: 'said', trace_id: id });
  });

  it('warns once of a collector that is not there, drops what waits, and stops in time', async () => {
    const { url } = await collector();
    server?.close();
    await start(url);
    span('asked');
    const began = performance.now();
    await tracing?.stop();
    expect(performance.now() - began).toBeLessThan(3_500);
    const warned = lines.filter((line) => line.level >= 40);
    expect(warned).toMatchObject([{ level: 40, why: expect.stringContaining('ECONNREFUSED') }]);
  });

  it('warns of a collector that refuses spans', async () => {
    await start((await collector(403)).url);
    span('asked');
    await tracing?.flush().catch(() => undefined);
    await tracing?.stop();
    expect(lines.filter((line) => line.level >= 40)).toHaveLength(1);
  });
});
