import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../test/ask.js';
import { KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Gateway } from './index.js';

const services = new StandInServices();
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = await services.start();
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const acme = { 'x-api-key': KEYS.acme };
const json = { 'content-type': 'application/json' };

const stream = (
  query: string,
  variables: object = {},
  headers: Record<string, string> = acme,
  accept = 'text/event-stream',
) =>
  fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { ...json, accept, ...headers },
    body: JSON.stringify({ query, variables }),
  });

const all = async (response: Response) => {
  const events = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
};

const given = async (): Promise<string> => {
  const body = new FormData();
  body.append('file', new File(['text'], 'plan.txt'));
  const response = await fetch(`${url}/api/v1/documents`, { method: 'POST', headers: acme, body });
  return ((await response.json()) as { id: string }).id;
};

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a document that is followed', () => {
  it('comes as it is first, then at each change, and ends when it is deleted', async () => {
    const id = await given();
    const response = await stream(
      'subscription ($id: ID!) { now: document(id: $id) { ...S } } fragment S on Document { status }',
      { id },
    );
    const seen: unknown[] = [];
    for await (const { event, data } of eventsOf(response)) {
      if (event === 'next') seen.push((data as { data: { now: unknown } }).data.now);
      if (seen.length === 1) services.change(id, 'READY');
      if (seen.length === 2) services.change(id, 'DELETED');
    }
    expect(seen).toEqual([{ status: 'ACCEPTED' }, { status: 'READY' }, { status: 'DELETED' }]);
    expect(services.watched).toBe(0);
  });

  it('is no longer watched when its reader goes away', async () => {
    const id = await given();
    for await (const _ of eventsOf(await stream(`subscription { document(id: "${id}") { id } }`))) break;
    await until(() => services.watched === 0);
    expect(services.watched).toBe(0);
  });

  it("is authorised before anything flows, and empty for another tenant's key", async () => {
    const id = await given();
    const query = `subscription { document(id: "${id}") { id } }`;
    const nobody = await stream(query, {}, {});
    expect(nobody.status).toBe(401);
    expect((await nobody.json()).errors[0].extensions.code).toBe('KEY_MISSING');
    const [first] = await all(await stream(query, {}, { 'x-api-key': KEYS.other }));
    expect(first).toEqual({ event: 'next', data: { data: { document: null } } });
  });

  it('ends with a code when its key is revoked', async () => {
    const id = await given();
    const events = eventsOf(await stream(`subscription { document(id: "${id}") { status } }`));
    await events.next();
    services.revoked.add(KEYS.acme);
    services.change(id, 'PARSED');
    const { value } = await events.next();
    services.revoked.clear();
    expect((value?.data as { errors: { extensions: object }[] }).errors[0]?.extensions).toMatchObject({
      code: 'KEY_INVALID',
    });
  });

  it('refuses a wrong selection, and serves queries and clients that accept several types', async () => {
    const [wrong] = await all(await stream('subscription { document(id: "1") { nothing } }'));
    expect((wrong?.data as { errors: { extensions: object }[] }).errors[0]?.extensions).toMatchObject({
      code: 'INPUT_INVALID',
    });
    const [query] = await all(
      await stream('{ documents { totalCount } }', {}, acme, 'application/json, text/event-stream'),
    );
    expect(query?.data).toMatchObject({ data: { documents: { totalCount: services.files.size } } });
  });

  it('streams to a browser’s GET, which may change nothing', async () => {
    const id = await given();
    const byGet = (query: string) =>
      fetch(`${url}/graphql/stream?query=${encodeURIComponent(query)}`, {
        headers: { ...acme, accept: 'text/event-stream' },
      });
    const [first] = await all(await byGet('{ documents { totalCount } }'));
    expect(first?.data).toMatchObject({ data: { documents: { totalCount: services.files.size } } });
    const [refused] = await all(await byGet(`mutation { deleteDocuments(filter: { ids: ["${id}"] }) { __typename } }`));
    expect(refused?.data).toMatchObject({ errors: [{ extensions: { code: 'INPUT_INVALID' } }] });
    expect(services.files.has(id)).toBe(true);
  });

  it('follows by REST too', async () => {
    const id = await given();
    const seen: string[] = [];
    for await (const { event, data } of eventsOf(
      await fetch(`${url}/api/v1/documents/${id}/events`, { headers: acme }),
    )) {
      seen.push(event === 'document' ? (data as { status: string }).status : event);
      if (seen.length === 1) services.change(id, 'READY');
      if (seen.length === 2) services.forget(id);
    }
    expect(seen).toEqual(['ACCEPTED', 'READY', 'deleted']);
  });
});

describe('an answer that is streamed', () => {
  it('comes in the selected shape, with what other services own filled in', async () => {
    services.files.set('d1', {
      tenant: 'acme',
      name: 'Plan',
      bytes: Buffer.from(''),
      fields: {},
      version: 1,
      status: 'READY',
    });
    const query = `subscription ($q: String!, $withTitle: Boolean!) { answer(query: $q, options: { fusion: RRF, weights: { simpleQuestions: 2 } }) {
      __typename
      ... on Hits { hits { paragraph { page ...P } } }
      ... on TextDelta { piece: text }
      ... on CitationFound { citation { marker paragraph { document { id } document { version } } } }
      ... on Done { found }
    } } fragment P on Paragraph { of: document { title @include(if: $withTitle) } }`;
    const events = await all(await stream(query, { q: 'When?', withTitle: true }));
    expect(events.map(({ data }) => (data as { data?: { answer: unknown } } | null)?.data?.answer)).toEqual([
      { __typename: 'Hits', hits: [{ paragraph: { page: 3, of: { title: 'Plan' } } }] },
      { __typename: 'TextDelta', piece: 'It is Friday [1].' },
      { __typename: 'CitationFound', citation: { marker: 1, paragraph: { document: { id: 'd1', version: 1 } } } },
      { __typename: 'Done', found: true },
      undefined,
    ]);
  });

  it('gives its own part and a code when what other services own is not there', async () => {
    const alone = await services.start({}, ['ingestion']);
    const address = await alone.listen();
    const response = await fetch(`${address}/graphql/stream`, {
      method: 'POST',
      headers: { ...json, accept: 'text/event-stream', ...acme },
      body: JSON.stringify({
        query:
          'subscription { answer(query: "When?") { ... on Hits { hits { paragraph { text document { title } } } } } }',
      }),
    });
    const [hits] = await all(response);
    await alone.close();
    expect(hits?.data).toMatchObject({
      data: { answer: { hits: [{ paragraph: { text: 'The deadline is Friday.', document: null } }] } },
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
  });

  it('comes by REST as hits, text, citation and done', async () => {
    const ask = (body: object) =>
      fetch(`${url}/api/v1/ask`, { method: 'POST', headers: { ...json, ...acme }, body: JSON.stringify(body) });
    const events = await all(await ask({ query: 'When?', n: 3 }));
    expect(events.map(({ event }) => event)).toEqual(['hits', 'text', 'citation', 'done']);
    expect(events[2]?.data).toMatchObject({ marker: 1, quote: 'Friday', paragraph: { id: 'p1', page: 3 } });

    const { answer } = services;
    services.answer = [{ type: 'refused', code: 'QUERY_EMPTY', message: 'The question is empty.', next: 'Ask.' }];
    const refused = await ask({ query: '' });
    services.answer = answer;
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, 'QUERY_EMPTY']);
  });
});
