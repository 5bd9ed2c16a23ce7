import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CodedError,
  encodeQuestion,
  identitySeal,
  livingParagraphs,
  type PointPayload,
  servingIndex,
  TenantId,
} from '@postmaster/contracts';
import { createLog, type RunningSubgraph, startSubgraph } from '@postmaster/service';
import { FakeCandidateStore, FakeEncoder, FakeRequests, pointPayload } from '@postmaster/testing';
import { graphql } from 'graphql';
import type { GradeModel } from '../grade-model.js';
import type { SummaryModel } from '../summary-model.js';
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

PARAGRAPHS.valve = {
  text: 'The valve of the boiler in the cellar is closed when pressure falls.',
  document: 'd3',
  title: 'Valves',
  simpleQuestions: ['When is the valve closed?'],
};
PARAGRAPHS.garden = {
  text: 'Æbletræer står langs muren i haven. De blev plantet af den tidligere ejer i 1998.',
  document: 'd4',
  language: 'da',
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
  const serving = { index: 'main', encoder: 'test', dimension: 2, store: 'lancedb' } as const;
  requests.answer(servingIndex, async () => serving);
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  const store = new FakeCandidateStore();
  for (const [id, given] of Object.entries(PARAGRAPHS)) {
    const payload = pointPayload({ title: 'House manual', ...given });
    const simple_questions = await encoder.embed(payload.simpleQuestions);
    store.put(ours, { id, payload, vectors: { paragraph: await embed(payload.text), simple_questions } });
  }
  const languageOf = (text: string) => (/[æøå]/iu.test(text) ? 'da' : 'en');
  const grader: GradeModel = {
    id: 'test:grader',
    judge: async (question) => graded(question),
    judgeAnswer: async (question) => graded(question),
  };
  const summarizer: SummaryModel = {
    id: 'test:writer',
    async *summarize(points, sources) {
      if (points > 4) throw new CodedError('MODEL_UNREACHABLE', 'It is down.');
      const [one] = sources.flatMap(({ paragraphs }) => paragraphs).filter(({ text }) => text.includes('boiler'));
      yield `- The boiler stands in the cellar [${one!.marker}].\n- Napoleon sold it in 1812 [${one!.marker}].\n`;
      yield '- Nobody says who wrote this.';
    },
  };
  const retrieval = retrievalService({ requests, store, languageOf, grader, summarizer });
  const typeDefs = retrievalTypeDefs();
  subgraph = await startSubgraph({ name: 'retrieval', module: retrievalModule(retrieval), typeDefs, seal, log });
});
afterAll(() => subgraph.close());

/** Has an opinion on questions to a judge only. */
const graded = (question: string) => {
  if (question.includes('judge')) return { reason: 'So it is.', grade: 7 };
  throw new CodedError('MODEL_UNREACHABLE', 'It is down.');
};

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
        `{ search(query: "boiler pressure", filter: { documents: ["d1", "d2"] }, options: {${options}}) { hits { paragraph { id } duplicates { id document title } } } }`,
      );
    expect(await found('')).toEqual({
      hits: [{ paragraph: { id: 'boiler' }, duplicates: [{ id: 'copy', document: 'd2', title: 'Copy' }] }],
    });
    expect((await found('foldDuplicates: false')).hits).toHaveLength(2);
  });

  it('groups by document, the best of each', async () => {
    const options = 'foldDuplicates: false, groupBy: DOCUMENT, perGroup: 1';
    const { hits, groups } = await ask(
      `{ search(query: "boiler pressure", filter: { documents: ["d1", "d2"] }, options: {${options}}) {
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
      '{ search(query: "boiler pressure", filter: { documents: ["d1", "d2"] }, options: { diversity: 0.5 }) { hits { score why { share } highlights { start end } } } }',
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

describe('more like a paragraph', () => {
  it('is like it in vector and words, without itself and what repeats it', async () => {
    expect(
      await ask(
        '{ moreLikeThis(paragraph: "boiler") { hits { paragraph { id } score why { leg } } notices { code } } }',
      ),
    ).toMatchObject({
      hits: [
        { paragraph: { id: 'valve' }, score: 1, why: [{ leg: 'PARAGRAPH' }, { leg: 'LEXICAL' }] },
        { paragraph: { id: 'garden' } },
      ],
      notices: [],
    });
  });

  it('keeps to the number and the filter', async () => {
    const ids = async (rest: string) => {
      const { hits } = await ask(`{ moreLikeThis(paragraph: "boiler", ${rest}) { hits { paragraph { id } } } }`);
      return (hits as { paragraph: { id: string } }[]).map(({ paragraph }) => paragraph.id);
    };
    expect(await ids('first: 1')).toEqual(['valve']);
    expect(await ids('filter: { languages: ["da"] }')).toEqual(['garden']);
  });
});

describe('a summary', () => {
  const summed = (args: string) =>
    ask(
      `{ summarize${args} { points { text citations { marker quote paragraph { id } } } documents model notices { code } } }`,
    );

  it("is the model's points, those alone that their sources bear out", async () => {
    const summary = await summed('(points: 4, filter: { documents: ["d1", "d2", "d3"] })');
    expect(summary).toMatchObject({ documents: 3, model: 'test:writer', notices: [{ code: 'CITATION_REMOVED' }] });
    const points = summary.points as { text: string; citations: { marker: number; quote: string }[] }[];
    const [{ text, citations }] = points as [(typeof points)[0]];
    expect(points).toHaveLength(1);
    expect(text).toBe(`The boiler stands in the cellar [${citations[0]!.marker}].`);
  });

  it('is the best sentences, spread over the documents, where the model fails, which is said', async () => {
    const summary = await summed('');
    expect(summary).toMatchObject({ documents: 4, model: 'extractive', notices: [{ code: 'MODEL_UNREACHABLE' }] });
    const points = summary.points as { text: string; citations: { quote: string; paragraph: { id: string } }[] }[];
    const first = points.slice(0, 3).map(({ citations }) => citations[0]!.paragraph.id);
    expect(first.sort()).toEqual(['boiler', 'garden', 'valve']);
    for (const { text, citations } of points) expect(text.startsWith(citations[0]!.quote)).toBe(true);
  });
});

describe('a grade', () => {
  const judged = (query: string, paragraph: string) =>
    ask(`{ judge(query: "${query}", paragraph: "${paragraph}") { grade reason model notices { code } } }`);

  it("is the model's, with its reason", async () => {
    const verdict = { grade: 7, reason: 'So it is.', model: 'test:grader', notices: [] };
    expect(await judged('What would a judge say?', 'boiler')).toEqual(verdict);
    expect(
      await ask(`{ judgeAnswer(query: "What would a judge say?", answer: "Yes.", sources: ["boiler"]) {
        grade reason model notices { code } } }`),
    ).toEqual(verdict);
  });

  it('is calibrated where the model fails, which is said, with a reason in words', async () => {
    const close = await judged('When is the valve of the boiler closed?', 'valve');
    expect(close).toMatchObject({
      reason: 'It holds 3 of the 3 words that carry the question; nearest question: “When is the valve closed?”.',
      model: 'calibrated',
      notices: [{ code: 'MODEL_UNREACHABLE' }],
    });
    expect(close.grade).toBeGreaterThanOrEqual(8);
    expect((await judged('When is the valve of the boiler closed?', 'garden')).grade).toBe(1);
    expect(await judged('Hvornår blev æbletræerne plantet?', 'garden')).toMatchObject({
      reason: 'Det rummer 2 af de 2 ord, der bærer spørgsmålet.',
    });
  });

  it('of an answer goes by its support and by the words that were asked for', async () => {
    const grade = (answer: string) =>
      ask(`{ judgeAnswer(query: "Where is the boiler?", answer: "${answer}", sources: ["boiler", "valve"]) {
        grade reason model } }`);
    expect(await grade('The boiler stands in the cellar [1].')).toEqual({
      grade: 10,
      reason:
        '1 of 1 sentences are borne out by the sources; answer and sources hold 1 of the 1 words that carry the question.',
      model: 'calibrated',
    });
    expect(await grade('The boiler stands in the cellar. Napoleon bought the boiler in 1812.')).toMatchObject({
      grade: 6,
    });
    expect(await grade('Napoleon bought it in 1812.')).toMatchObject({ grade: 1 });
  });
});

describe('bad input', () => {
  const answer = (text: string, sources: string) =>
    `{ judgeAnswer(query: "boiler", answer: "${text}", sources: [${sources}]) { grade } }`;
  it.each([
    ['{ moreLikeThis(paragraph: "none") { notices { code } } }', 'NOT_FOUND', 'paragraph'],
    ['{ moreLikeThis(paragraph: "boiler", first: 0) { notices { code } } }', 'INPUT_INVALID', 'first'],
    ['{ judge(query: "boiler", paragraph: "none") { grade } }', 'NOT_FOUND', 'paragraph'],
    ['{ judge(query: "?", paragraph: "boiler") { grade } }', 'QUERY_EMPTY', 'query'],
    ['{ summarize(points: 0) { model } }', 'INPUT_INVALID', 'points'],
    ['{ summarize(points: 21) { model } }', 'INPUT_INVALID', 'points'],
    [
      '{ summarize(filter: { metadata: [{ key: "", value: 1 }] }) { model } }',
      'FILTER_INVALID',
      'filter.metadata.0.key',
    ],
    [answer(' ', '"boiler"'), 'INPUT_INVALID', 'answer'],
    [answer('a'.repeat(20_001), '"boiler"'), 'INPUT_INVALID', 'answer'],
    [answer('Yes.', ''), 'INPUT_INVALID', 'sources'],
    [answer('Yes.', '"boiler", "none"'), 'NOT_FOUND', 'sources'],
  ])('is refused with its code and field: %.90s', async (query, code, field) =>
    expect(await ask(query)).toEqual({ code, field }),
  );
});

describe('another tenant', () => {
  it.each([
    ['search', '{ search(query: "boiler pressure") { hits { score } } }', { hits: [] }],
    [
      'more like this',
      '{ moreLikeThis(paragraph: "boiler") { hits { score } } }',
      { code: 'NOT_FOUND', field: 'paragraph' },
    ],
    ['a summary', '{ summarize { points { text } documents } }', { points: [], documents: 0 }],
    ['a judge', '{ judge(query: "boiler", paragraph: "boiler") { grade } }', { code: 'NOT_FOUND', field: 'paragraph' }],
    [
      'a judge of answers',
      '{ judgeAnswer(query: "boiler", answer: "Yes.", sources: ["boiler"]) { grade } }',
      { code: 'NOT_FOUND', field: 'sources' },
    ],
  ])('gets nothing from %s', async (_, query, nothing) => expect(await ask(query, theirs)).toEqual(nothing));
});
