import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerStream,
  encodeQuestion,
  identitySeal,
  knownValues,
  livingParagraphs,
  type Scope,
  TenantId,
  tenantProfile,
} from '@postmaster/contracts';
import { createLog, type RunningSubgraph, startSubgraph } from '@postmaster/service';
import { FakeCandidateStore, FakeRequests, PLAN_KNOWN, pointPayload, profileOf } from '@postmaster/testing';
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

const ask = async (
  subgraph: RunningSubgraph,
  source: string,
  tenant: TenantId = ours,
  scopes: Scope[] = ['read'],
  variableValues?: Record<string, unknown>,
) => {
  const token = await seal.sign({ tenant, subject: 'key-1', scopes });
  const contextValue = await subgraph.context({ token, requestId: 'r1' });
  return graphql({ schema: subgraph.schema, source, contextValue, variableValues });
};

/** Fakes take the token for the tenant; here it is a real one, which only these two see. */
const neighbours = (): FakeRequests => {
  const requests = new FakeRequests((token) => seal.open(token));
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector }));
  requests.answer(knownValues, async () => PLAN_KNOWN);
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

  it('gives its plan, which can be edited and sent back', async () => {
    const query = `query ($options: SearchOptions) { search(query: "letters from 2024", options: $options) {
      hits { score } notices { code } plan { planning cost { texts } reading {
        kind searchText keywords entities { text role } dates { words from to } variations { kind text }
        conditions { field key equals oneOf allOf from to certainty words }
        favour { paragraph simpleQuestions complexQuestions context scope lexical }
      } }
    } }`;
    const { data } = await ask(subgraph, query);
    const { plan } = (data as { search: { plan: { reading: { conditions: object[] } } } }).search; // asked for above
    expect(plan).toMatchObject({
      planning: 'RULES',
      cost: { texts: 1 },
      reading: {
        ...{ kind: 'DOCUMENT', searchText: 'letters', favour: { context: 2, scope: 1.5, lexical: null } },
        dates: [{ words: 'from 2024', from: '2024-01-01T00:00:00.000Z' }],
        conditions: [{ field: 'CREATED', from: '2024-01-01T00:00:00.000Z', oneOf: null, words: 'from 2024' }],
      },
    });
    const edited = {
      ...plan.reading,
      searchText: 'boiler',
      conditions: [
        { field: 'SOURCE_TYPE', oneOf: ['upload'] },
        { field: 'METADATA', key: 'kind', equals: 'manual', certainty: 0.1 },
      ],
      variations: [{ kind: 'QUESTION', text: 'Where is it?' }],
    };
    expect((await ask(subgraph, query, ours, ['read'], { options: { plan: edited } })).data).toMatchObject({
      search: {
        hits: [{ score: 1 }],
        notices: [{ code: 'FILTER_RELAXED' }],
        plan: { planning: 'GIVEN', cost: { texts: 2 }, reading: { searchText: 'boiler', favour: { context: 2 } } },
      },
    });
    const wrong = { ...edited, conditions: [{ field: 'CREATED', oneOf: ['2024'] }] };
    const { errors } = await ask(subgraph, query, ours, ['read'], { options: { plan: wrong } });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('created (from, to: ISO 8601 dates)'),
      extensions: { code: 'FILTER_INVALID' },
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

  it("measures a tenant's own questions, by the ways that its index can serve", async () => {
    const query = (ways: string, id = 'p1') => `{ evaluate(input: { ways: ${ways}, questions: [
      { query: "Where is the boiler?", paragraphs: [{ id: "${id}" }] } ] }) { queries ways { way hitAt1 ndcgAt10 p50Ms } } }`;
    const { data, errors } = await ask(subgraph, query('["composite", "bm25-facets", "without-lexical"]'), ours, [
      'admin',
    ]);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      evaluate: {
        queries: 1,
        ways: [
          { way: 'composite', hitAt1: 1, ndcgAt10: 1, p50Ms: expect.any(Number) },
          { way: 'bm25-facets', hitAt1: 1 },
          { way: 'without-lexical', p50Ms: null },
        ],
      },
    });
    const missed = await ask(subgraph, query('null', 'p9'), ours, ['admin']);
    expect(missed.data).toMatchObject({
      evaluate: { ways: expect.arrayContaining([expect.objectContaining({ way: 'rrf', hitAt1: 0 })]) },
    });
    const refused = await ask(subgraph, query('["bm25"]'), ours, ['admin']);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'INPUT_INVALID' });
    expect((await ask(subgraph, query('null'))).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
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
