import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServerResponse } from 'node:http';
import { ask, type Told } from '../test/ask.js';
import { faultySubgraph, muteServer } from '../test/faulty-subgraph.js';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Served } from '../test/stand-in-subgraphs.js';
import type { GatewayConfig } from './index.js';

const services = new StandInServices();
const ends: (() => Promise<unknown>)[] = [];
let served: { ingestion: Served; retrieval: Served };

beforeAll(async () => {
  served = await services.serve();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => Promise.all([served.ingestion.close(), served.retrieval.close()]));

/** A gateway whose ingestion is at `url`; its address. */
const withIngestion = async (url: string, config: Partial<GatewayConfig> = {}): Promise<string> => {
  const gateway = await services.start(config, [], { subgraphs: { ...served, ingestion: { url } } });
  ends.push(() => gateway.close());
  return gateway.listen();
};

const faulty = async (answer: Parameters<typeof faultySubgraph>[0]) => {
  const subgraph = await faultySubgraph(answer);
  ends.push(() => subgraph.close());
  return subgraph;
};

const BOTH = '{ documents { totalCount } search(query: "When?") { hits { score } } }';

const isPartial = ({ status, body }: Told, code: string) => {
  expect(status).toBe(200);
  expect(body.data).toEqual({ documents: null, search: { hits: [{ score: 1 }] } });
  expect(body.errors).toEqual([
    expect.objectContaining({ path: ['documents'], extensions: expect.objectContaining({ code }) }),
  ]);
};

const json = (res: ServerResponse, body: unknown, status = 200) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('a subgraph that answers with garbage', () => {
  const GARBAGE: [string, (res: ServerResponse) => unknown][] = [
    ['no JSON', (res) => res.end('oops')],
    ['a page', (res) => res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')],
    ['nothing', (res) => res.writeHead(204).end()],
    ['a list', (res) => json(res, [])],
    ['neither data nor errors', (res) => json(res, { data: null })],
    ['errors without messages', (res) => json(res, { data: null, errors: [{}] })],
    ['an operation refused', (res) => json(res, { errors: [{ message: 'Cannot query field "totalCount"' }] }, 400)],
    ['a redirect', (res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    [
      'half an answer',
      (res) => res.writeHead(200, { 'content-length': '1000' }).write('{"data":', () => res.destroy()),
    ],
    ['a connection that is cut', (res) => res.destroy()],
  ];
  it.each(GARBAGE)('(%s) is one that does not answer', async (_what, answer) => {
    const { url } = await faulty((res) => void answer(res));
    isPartial(await ask(await withIngestion(url), BOTH), 'SERVICE_UNAVAILABLE');
  });

  it('(another number of entities) leaves the rest as it is', async () => {
    const { url } = await faulty((res) => json(res, { data: { _entities: [] } }));
    const { body } = await ask(
      await withIngestion(url),
      '{ search(query: "When?") { hits { paragraph { text facets { scope } document { id } } } } }',
    );
    expect(body.data).toMatchObject({ search: { hits: [{ paragraph: { text: 'The deadline is Friday.' } }] } });
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(
      expect.arrayContaining(['SERVICE_UNAVAILABLE']),
    );
  });

  it('(more than the limit) is cut short', async () => {
    const { url } = await faulty((res) => json(res, { data: { documents: { totalCount: 1 } }, pad: 'x'.repeat(5000) }));
    isPartial(await ask(await withIngestion(url, { subgraphMaxBytes: 4000 }), BOTH), 'SERVICE_UNAVAILABLE');
  });
});

describe('a subgraph that is slow', () => {
  it('is waited for no longer than the limit, in GraphQL and REST', async () => {
    const { url } = await faulty(() => {});
    const address = await withIngestion(url, { subgraphTimeoutMs: 200 });
    isPartial(await ask(address, BOTH), 'TIMED_OUT');
    const rest = await fetch(`${address}/api/v1/documents`, { headers: { 'x-api-key': KEYS.acme } });
    expect(rest.status).toBe(504);
    expect(await rest.json()).toMatchObject({ code: 'TIMED_OUT', status: 504 });
  });

  it('is one that does not answer when even the connection takes longer', async () => {
    const mute = await muteServer();
    ends.push(() => mute.close());
    const address = await withIngestion(`https://${mute.address}/graphql`, { subgraphConnectTimeoutMs: 200 });
    const began = performance.now();
    isPartial(await ask(address, BOTH), 'SERVICE_UNAVAILABLE');
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('hears when its caller has gone', async () => {
    let gone = () => {};
    const heard = new Promise<void>((resolve) => (gone = resolve));
    let come = () => {};
    const asked = new Promise<void>((resolve) => (come = resolve));
    const { url } = await faulty((res) => {
      res.once('close', () => gone());
      come();
    });
    const address = await withIngestion(url);
    const leave = new AbortController();
    const left = fetch(`${address}/api/v1/documents`, { headers: { 'x-api-key': KEYS.acme }, signal: leave.signal });
    await asked;
    leave.abort();
    await expect(left).rejects.toThrow();
    await heard;
  });
});

describe('a connection that is cut', () => {
  const cutFirst = () =>
    faulty((res, nth) => {
      if (nth === 1) res.destroy();
      else json(res, { data: { documents: { totalCount: 3 }, deleteDocuments: { __typename: 'Job' } } });
    });

  it('costs a query nothing: it is asked a second time', async () => {
    const subgraph = await cutFirst();
    const { body } = await ask(await withIngestion(subgraph.url), '{ documents { totalCount } }');
    expect([body.data, subgraph.asked]).toEqual([{ documents: { totalCount: 3 } }, 2]);
  });

  it('fails a mutation, which may have been done', async () => {
    const subgraph = await cutFirst();
    const { body } = await ask(
      await withIngestion(subgraph.url),
      'mutation { deleteDocuments(filter: { ids: ["d1"] }) { __typename } }',
    );
    expect(body.errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
    expect(subgraph.asked).toBe(1);
  });
});
