import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ask } from '../test/ask.js';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Served } from '../test/stand-in-subgraphs.js';
import type { Gateway } from './index.js';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const services = new StandInServices();
let served: { ingestion: Served; retrieval: Served };
let gateway: Gateway;
let url: string;

const store = (id: string) =>
  services.files.set(id, {
    tenant: 'acme',
    name: 'Plan',
    bytes: Buffer.from(''),
    fields: {},
    version: 1,
    status: 'READY',
  });

beforeAll(async () => {
  served = await services.serve();
  gateway = await services.start({}, [], { subgraphs: served, traceparent: () => TRACE });
  url = await gateway.listen();
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([served.ingestion.close(), served.retrieval.close()]);
});
beforeEach(() => void store('d1'));

const SEARCH = '{ search(query: "When?") { hits { paragraph { text document { title } } } } }';

describe('subgraphs that are asked over HTTP', () => {
  it('answer queries, references and mutations as those in process do', async () => {
    const { body } = await ask(url, SEARCH);
    expect(body).toEqual({
      data: { search: { hits: [{ paragraph: { text: 'The deadline is Friday.', document: { title: 'Plan' } } }] } },
    });
    const refused = await ask(url, 'mutation { retryDocuments(filter: {}) { ... on Refused { code } } }');
    expect(refused.body.data).toEqual({ retryDocuments: { code: 'CONFLICT' } });
    await ask(url, 'mutation { deleteDocuments(filter: { ids: ["d1"] }) { __typename } }');
    expect(services.files.has('d1')).toBe(false);
  });

  it('tell errors with their codes and paths, and mask what was not expected', async () => {
    const { body } = await ask(url, '{ search(query: "") { tookMs } document(id: "boom") { id } }');
    expect(body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          path: ['search'],
          extensions: { code: 'QUERY_EMPTY', next: expect.any(String), requestId: expect.any(String) },
        }),
        expect.objectContaining({ path: ['document'], extensions: expect.objectContaining({ code: 'INTERNAL' }) }),
      ]),
    );
    expect(JSON.stringify(body)).not.toMatch(/secret|internal\.ts/);
    const wrong = await ask(url, 'query ($f: DocumentFilter) { documents(filter: $f) { totalCount } }', {
      f: { addedFrom: 'last Tuesday' },
    });
    expect(wrong.body.errors?.[0]?.extensions.code).toBe('INPUT_INVALID');
  });

  it('are asked over connections that are kept', async () => {
    const server = served.retrieval.server;
    let connections = 0;
    const count = () => void (connections += 1);
    server.on('connection', count);
    for (let n = 0; n < 30; n += 1) await ask(url, '{ search(query: "When?") { tookMs } }');
    server.off('connection', count);
    expect(connections).toBeLessThanOrEqual(1);
  });

  it('are told who asks, the request and the trace; no header of the client gets to them, none of theirs back', async () => {
    const server = served.retrieval.server;
    const seen: string[][] = [];
    const watch = ({ headers }: IncomingMessage, res: ServerResponse) => {
      seen.push(Object.keys(headers).sort());
      res.setHeader('x-inside', 'secret').setHeader('set-cookie', 'inside=1').setHeader('cache-control', 'public');
      expect([headers['x-request-id'], headers.traceparent]).toEqual(['my-id', TRACE]);
      expect(headers.authorization).toMatch(/^Bearer ey/);
    };
    server.prependListener('request', watch);
    const { headers } = await ask(
      url,
      SEARCH,
      {},
      {
        'x-request-id': 'my-id',
        cookie: 'a=b',
        'x-forwarded-for': '10.0.0.1',
        traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
        'x-tenant': 'other',
        'apollo-federation-include-trace': 'ftv1',
      },
    );
    server.off('request', watch);
    expect(seen).toEqual([
      [
        'accept',
        'authorization',
        'connection',
        'content-length',
        'content-type',
        'host',
        'traceparent',
        'x-request-id',
      ],
    ]);
    expect([headers.get('x-inside'), headers.get('set-cookie')]).toEqual([null, null]);
    expect(headers.get('cache-control')).not.toBe('public');
  });

  it('that do not share the secret are a fault of the deployment and not of the key', async () => {
    const wrong = { ...services.seal, sign: async () => 'not a token' };
    const requests = {
      ...services.requests,
      ask: async () => ({ key: { id: 'k', tenant: 'acme', scopes: ['read'] } }),
    };
    const other = await services.start({}, [], { subgraphs: served, seal: wrong, requests: requests as never });
    const { status, body } = await ask(await other.listen(), '{ search(query: "When?") { tookMs } }');
    await other.close();
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([200, 'SERVICE_UNAVAILABLE']);
  });
});

describe('a subgraph that goes away', () => {
  it('leaves the others their data, and a code at each place that it would have filled', async () => {
    const own = new StandInServices();
    const both = await own.serve();
    const front = await own.start({}, [], { subgraphs: both });
    const address = await front.listen();
    await both.ingestion.close();

    const { status, body } = await ask(
      address,
      '{ search(query: "When?") { hits { score paragraph { text document { title } } } } mine: document(id: "d1") { id } }',
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({
      search: { hits: [{ score: 1, paragraph: { text: 'The deadline is Friday.', document: null } }] },
      mine: null,
    });
    const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', next: expect.any(String) });
    expect(body.errors).toHaveLength(2);
    expect(body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: ['mine'], extensions: unavailable }),
        expect.objectContaining({ path: ['search', 'hits', 0, 'paragraph', 'document'], extensions: unavailable }),
      ]),
    );
    expect(JSON.stringify(body)).not.toContain(new URL(both.ingestion.url).port);

    const rest = (path: string) => fetch(`${address}/api/v1${path}`, { headers: { 'x-api-key': KEYS.acme } });
    const search = await rest('/search?query=When');
    expect([search.status, ((await search.json()) as { errors: unknown[] }).errors]).toEqual([
      200,
      [expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })],
    ]);
    const document = await rest('/documents/d1');
    expect(document.status).toBe(503);
    expect(document.headers.get('content-type')).toContain('application/problem+json');
    expect(await document.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    await front.close();
    await both.retrieval.close();
  });
});
