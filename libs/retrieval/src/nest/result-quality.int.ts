import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeQuestion, identitySeal, livingParagraphs, type PointPayload, TenantId } from '@postmaster/contracts';
import { createLog, type RunningSubgraph, startSubgraph } from '@postmaster/service';
import { FakeCandidateStore, FakeEncoder, FakeRequests, pointPayload } from '@postmaster/testing';
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
const [ours, theirs] = [TenantId.parse('ours'), TenantId.parse('theirs')];
const encoder = new FakeEncoder('fake:words-1', 64, 1000);

const PARAGRAPHS: Record<string, Partial<PointPayload> & { text: string }> = {
  boiler: { text: 'The boiler stands in the cellar. Its pressure should stay near 1.5 bar.' },
  copy: {
    text: 'The boiler stands in the cellar — its pressure should stay near 1.5 bar!',
    document: 'd2',
    title: 'Copy',
  },
};

let subgraph: RunningSubgraph;
beforeAll(async () => {
  const requests = new FakeRequests((token) => seal.open(token));
  const embed = async (text: string) => (await encoder.embed([text]))[0]!;
  requests.answer(encodeQuestion, async (_, { text }) => ({
    index: 'main',
    encoder: 'test',
    vector: await embed(text),
  }));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  const store = new FakeCandidateStore();
  for (const [id, given] of Object.entries(PARAGRAPHS)) {
    const payload = pointPayload({ title: 'House manual', ...given });
    store.put(ours, { id, payload, vectors: { paragraph: await embed(payload.text) } });
  }
  const retrieval = retrievalService({ requests, store, languageOf: () => 'en' });
  const typeDefs = retrievalTypeDefs();
  subgraph = await startSubgraph({ name: 'retrieval', module: retrievalModule(retrieval), typeDefs, seal, log });
});
afterAll(() => subgraph.close());

const ask = async (source: string, tenant = ours): Promise<Record<string, unknown>> => {
  const token = await seal.sign({ tenant, subject: 'key-1', scopes: ['read'] });
  const contextValue = await subgraph.context({ token, requestId: 'r1' });
  const { data, errors } = await graphql({ schema: subgraph.schema, source, contextValue });
  const [first] = Object.values(data ?? {});
  return errors ? { code: errors[0]?.extensions.code, field: errors[0]?.extensions.field } : { ...(first as object) };
};

describe('search in the graph', () => {
  it('folds near-duplicates, and leaves them apart where that is asked for', async () => {
    const found = (options: string) =>
      ask(
        `{ search(query: "boiler pressure", options: {${options}}) { hits { paragraph { id } duplicates { id document title } } } }`,
      );
    expect(await found('')).toEqual({
      hits: [{ paragraph: { id: 'boiler' }, duplicates: [{ id: 'copy', document: 'd2', title: 'Copy' }] }],
    });
    expect((await found('foldDuplicates: false')).hits).toHaveLength(2);
  });

  it('groups by document, the best of each', async () => {
    const options = 'foldDuplicates: false, groupBy: DOCUMENT, perGroup: 1';
    const { hits, groups } = await ask(
      `{ search(query: "boiler pressure", options: {${options}}) {
        hits { paragraph { id } } groups { document title hits { paragraph { id } } } } }`,
    );
    const [boiler, copy] = ['boiler', 'copy'].map((id) => ({ paragraph: { id } }));
    expect(hits).toEqual([boiler, copy]);
    expect(groups).toEqual([
      { document: 'd1', title: 'House manual', hits: [boiler] },
      { document: 'd2', title: 'Copy', hits: [copy] },
    ]);
  });

  it('tells what each leg gave to the score, and where the words stand', async () => {
    const { hits } = (await ask(
      '{ search(query: "boiler pressure", options: { diversity: 0.5 }) { hits { score why { share } highlights { start end } } } }',
    )) as { hits: { score: number; why: { share: number }[]; highlights: { start: number; end: number }[] }[] };
    const [{ score, why, highlights }] = hits as [(typeof hits)[0]];
    expect(why.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(score, 9);
    const { text } = PARAGRAPHS.boiler!;
    expect(highlights.map(({ start, end }) => text.slice(start, end))).toEqual(['boiler', 'pressure']);
  });

  it.each([
    ['diversity: 1.5', 'options.diversity'],
    ['perGroup: 0', 'options.perGroup'],
    ['perGroup: 21', 'options.perGroup'],
  ])('refuses { %s }, naming the field', async (options, field) =>
    expect(await ask(`{ search(query: "boiler", options: {${options}}) { tookMs } }`)).toEqual({
      code: 'INPUT_INVALID',
      field,
    }),
  );
});

describe('another tenant', () => {
  it.each([['search', '{ search(query: "boiler pressure") { hits { score } } }', { hits: [] }]])(
    'gets nothing from %s',
    async (_, query, nothing) => expect(await ask(query, theirs)).toEqual(nothing),
  );
});
