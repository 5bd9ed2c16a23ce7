import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Agent, type IncomingMessage, request } from 'node:http';
import { ask, eventsOf } from '../test/ask.js';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Gateway, GatewayConfig, GatewayParts } from './index.js';

const services = new StandInServices();
const acme = { 'x-api-key': KEYS.acme };
let gateway: Gateway | undefined;

const start = async (config: Partial<GatewayConfig> = {}, others: Partial<GatewayParts> = {}): Promise<string> => {
  gateway = await services.start(config, [], others);
  return gateway.listen();
};
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const store = (id: string) => {
  const facts = { tenant: 'acme', name: 'a', bytes: Buffer.from(''), fields: {} };
  services.files.set(id, { ...facts, version: 1, status: 'READY' });
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the time of each part', () => {
  it('stands in a header of GraphQL and REST, in names and numbers alone', async () => {
    const url = await start();
    const form = /^[\w-]+;dur=\d+\.\d\d$/;
    const graphql = await ask(url, '{ search(query: "When?") { tookMs } documents { totalCount } }');
    const parts = graphql.headers.get('server-timing')?.split(', ') ?? [];
    for (const part of parts) expect(part).toMatch(form);
    expect(parts.map((part) => part.split(';')[0]).sort()).toEqual([
      ...['auth', 'gateway', 'graph', 'ingestion', 'retrieval'],
    ]);
    const rest = await fetch(`${url}/api/v1/search?query=When`, { headers: acme });
    expect(rest.headers.get('server-timing')).toMatch(/^gateway;dur=.*auth;dur=.*retrieval;dur=.*graph;dur=/);
    expect((await fetch(`${url}/health/live`)).headers.get('server-timing')).toBeNull();
  });
});

describe('a server that closes', () => {
  it('ends its streams at once, and says so in each', async () => {
    const url = await start();
    store('d1');
    const follow = eventsOf(await fetch(`${url}/api/v1/documents/d1/events`, { headers: acme }));
    const subscribe = eventsOf(
      await fetch(`${url}/graphql/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...acme },
        body: '{"query":"subscription { document(id: \\"d1\\") { status } }"}',
      }),
    );
    expect([(await follow.next()).value?.event, (await subscribe.next()).value?.event]).toEqual(['document', 'next']);
    const began = performance.now();
    const closed = gateway?.close();
    expect((await follow.next()).value).toMatchObject({ event: 'error', data: { code: 'SERVICE_UNAVAILABLE' } });
    expect((await follow.next()).done).toBe(true);
    expect((await subscribe.next()).value?.data).toMatchObject({
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
    expect((await subscribe.next()).value?.event).toBe('complete');
    await closed;
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(services.watched).toBe(0);
  });

  it('ends a stream of which nothing comes', async () => {
    const silent = {
      ...services.requests,
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    };
    const url = await start({}, { requests: silent as never });
    const answer = eventsOf(
      await fetch(`${url}/graphql/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...acme },
        body: '{"query":"subscription { answer(query: \\"When?\\") { __typename } }"}',
      }),
    );
    const next = answer.next();
    await pause(50);
    await gateway?.close();
    expect((await next).value?.data).toMatchObject({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
  });

  it('lets running requests end, and cuts with a code those that do not', async () => {
    const url = await start({ closeWithinMs: 1_000 });
    store('slow');
    const slow = ask(url, '{ document(id: "slow") { id } }');
    const never = ask(url, '{ document(id: "never") { id } search(query: "When?") { hits { score } } }');
    await pause(100);
    const began = performance.now();
    await gateway?.close();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await slow).body).toEqual({ data: { document: { id: 'slow' } } });
    expect((await never).body).toMatchObject({
      data: { document: null, search: { hits: [{ score: 1 }] } },
      errors: [{ path: ['document'], extensions: { code: 'TIMED_OUT' } }],
    });
  });

  it('asks for connections to be closed before it closes, and is not held up by those that were never used', async () => {
    let accepting = true;
    const url = await start({}, { accepting: () => accepting });
    const agent = new Agent({ keepAlive: true });
    const connection = () =>
      new Promise<unknown>((resolve, reject) => {
        const sent = request(`${url}/health/live`, { agent }, (response: IncomingMessage) => {
          response.resume().once('end', () => resolve(response.headers.connection));
        });
        sent.once('error', reject).end();
      });
    expect(await connection()).toBe('keep-alive');
    accepting = false;
    expect(await connection()).toBe('close');
    agent.destroy();
    const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    await pause(50);
    const began = performance.now();
    await gateway?.close();
    expect(performance.now() - began).toBeLessThan(1_500);
    idle.destroy();
  });
});

describe('a request', () => {
  it('must come in within the limit, unless it is an upload', async () => {
    const url = await start({ requestTimeoutMs: 200 });
    const { port } = new URL(url);
    const send = (path: string) =>
      new Promise<string>((resolve) => {
        let got = '';
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.acme}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
          ),
        );
        socket.on('data', (data) => (got += data.toString())).on('error', () => {});
        socket.once('close', () => resolve(got));
        setTimeout(() => socket.destroy(), 1_000);
      });
    expect(await send('/graphql')).toMatch(/^HTTP\/1.1 408 /);
    expect(await send('/api/v1/documents')).not.toContain(' 408 ');
  });

  it('may come after the connection was idle for longer than load balancers keep one', async () => {
    await start();
    const server = gateway?.app.getHttpServer() as { keepAliveTimeout: number; headersTimeout: number };
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
  });
});
