import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answerStream,
  encodeQuestion,
  identitySeal,
  livingParagraphs,
  type Scope,
  TenantId,
  tenantProfile,
} from '@postmaster/contracts';
import { createLog, type RunningSubgraph, startSubgraph } from '@postmaster/service';
import { FakeCandidateStore, FakeRequests, pointPayload, profileOf } from '@postmaster/testing';
import { graphql } from 'graphql';
import { retrievalService } from '../retrieval-service.js';
import { retrievalModule, retrievalTypeDefs } from './index.js';

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const log = createLog({
  name: 'test',
  level: 'fatal',
  pretty: false,
  to: new Writable({ write: (_, __, next) => next() }),
});
const ours = TenantId.parse('ours');
const vector = new Float32Array([1, 0]);

const start = async (requests: FakeRequests) => {
  const store = new FakeCandidateStore();
  const text = 'The boiler is in the cellar. Its pressure should stay near 1.5 bar.';
  const payload = pointPayload({ document: 'd1', title: 'House manual', text, page: 3, trail: ['Heating'] });
  store.put(ours, { id: 'p1', payload, vectors: { paragraph: vector } });
  const retrieval = retrievalService({ requests, store, languageOf: () => 'en' });
  const typeDefs = retrievalTypeDefs();
  return startSubgraph({ name: 'retrieval', module: retrievalModule(retrieval), typeDefs, seal, log });
};

const ask = async (subgraph: RunningSubgraph, source: string, tenant: TenantId = ours, scopes: Scope[] = ['read']) => {
  const token = await seal.sign({ tenant, subject: 'key-1', scopes });
  const contextValue = await subgraph.context({ token, requestId: 'r1' });
  return graphql({ schema: subgraph.schema, source, contextValue });
};

/** Fakes take the token for the tenant; here it is a real one, which only these two see. */
const neighbours = (): FakeRequests => {
  const requests = new FakeRequests((token) => seal.open(token));
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector }));
  requests.answer(tenantProfile, async ({ tenant }) => profileOf(tenant));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  return requests;
};

const SEARCH = `query { search(query: "Where is the boiler?", options: { fusion: RRF, rrfK: 10, weights: { scope: 0 } }) {
  hits { paragraph { id text page trail } score relevance why { leg score scaled rank weight text } }
  plan { query language fusion legs { leg weight } candidates } notices { code }
} }`;
const ASK = `{ ask(query: "Where is the boiler?") { text found model citations { marker quote quoteStart quoteEnd paragraph { id } } } }`;

describe('the retrieval subgraph', () => {
  const requests = neighbours();
  let subgraph: RunningSubgraph;
  beforeAll(async () => {
    subgraph = await start(requests);
  });
  afterAll(() => subgraph.close());

  it('finds paragraphs, with the reasons in the words of the graph', async () => {
    const { data, errors } = await ask(subgraph, SEARCH);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      search: {
        hits: [
          {
            paragraph: { id: 'p1', page: 3, trail: ['Heating'] },
            score: 1,
            why: [
              { leg: 'PARAGRAPH', score: 1 },
              { leg: 'LEXICAL', text: 'The boiler is in the cellar.' },
            ],
          },
        ],
        plan: { fusion: 'RRF', language: 'en', candidates: 1 },
        notices: [],
      },
    });
    expect(JSON.stringify(data)).not.toContain('SCOPE');
  });

  it('answers with citations', async () => {
    expect((await ask(subgraph, ASK)).data).toEqual({
      ask: {
        text: 'The boiler is in the cellar. [1]',
        found: true,
        model: 'extractive',
        citations: [
          { marker: 1, quote: 'The boiler is in the cellar.', quoteStart: 0, quoteEnd: 28, paragraph: { id: 'p1' } },
        ],
      },
    });
  });

  it('gives another tenant nothing', async () => {
    const { data } = await ask(subgraph, ASK, TenantId.parse('theirs'));
    expect(data).toMatchObject({ ask: { found: false, citations: [] } });
    expect(await ask(subgraph, SEARCH, TenantId.parse('theirs'))).toMatchObject({ data: { search: { hits: [] } } });
  });

  it.each([
    ['an empty question', '{ search(query: " ") { tookMs } }', 'QUERY_EMPTY'],
    ['a question to be answered', '{ ask(query: "?") { text } }', 'QUERY_EMPTY'],
    ['too many hits', '{ search(query: "a", first: 1000) { tookMs } }', 'INPUT_INVALID'],
    ['a relevance above 1', '{ search(query: "a", options: { minRelevance: 7 }) { tookMs } }', 'INPUT_INVALID'],
    [
      'a date that is none',
      '{ search(query: "a", filter: { metadata: [{ key: "", value: 1 }] }) { tookMs } }',
      'FILTER_INVALID',
    ],
  ])('refuses %s with a code', async (_, query, code) => {
    const { errors } = await ask(subgraph, query);
    expect(errors?.map(({ extensions }) => extensions)).toMatchObject([
      { code, next: expect.any(String), requestId: 'r1' },
    ]);
  });

  it('refuses a key that may not read', async () => {
    for (const query of [SEARCH, ASK])
      expect((await ask(subgraph, query, ours, ['write'])).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('streams an answer to whoever asks by request', async () => {
    const token = await seal.sign({ tenant: ours, subject: 'key-1', scopes: ['read'] });
    const types: string[] = [];
    for await (const event of requests.stream(answerStream, token, { query: 'Where is the boiler?' }))
      types.push(event.type);
    expect(types).toEqual(['hits', 'citation', 'text', 'done']);
  });
});

describe('the retrieval subgraph alone, its neighbours absent', () => {
  it('starts, and says by code who does not answer', async () => {
    const subgraph = await start(new FakeRequests((token) => seal.open(token)));
    const { errors } = await ask(subgraph, SEARCH);
    expect(errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
    expect((await ask(subgraph, ASK)).errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
    await subgraph.close();
  });
});
