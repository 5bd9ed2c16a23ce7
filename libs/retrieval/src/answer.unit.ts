import { describe, expect, it } from 'vitest';
import { type AnswerEvent, CodedError, parentTexts, Reading, type SearchHit, TenantId } from '@postmaster/contracts';
import { FakeRequests, pointPayload } from '@postmaster/testing';
import { type AnswerPorts, answerStream, foldAnswer } from './answer.js';
import type { AnswerModel, Source } from './answer-model.js';
import type { CandidateStore } from './candidate-store.js';
import { readParents } from './read-parents.js';
import type { SearchResult } from './search.js';

const tenant = TenantId.parse('t1');

const hit = (id: string, text: string, relevance: number, language = 'en'): SearchHit => ({
  score: relevance,
  relevance,
  why: [],
  duplicates: [],
  highlights: [],
  paragraph: {
    id,
    document: `d-${id}`,
    version: 1,
    title: 'House manual',
    text,
    position: 0,
    page: 3,
    start: 100,
    end: 100 + text.length,
    trail: ['Heating'],
    language,
    contentType: 'text/plain',
    sourceType: 'upload',
    sourceId: id,
    collection: null,
  },
});

const HEAT = 'The boiler is in the cellar. Its pressure should stay near 1.5 bar. Call Jensen when it falls.';
const ROOF = 'The roof 𝒶 was laid in 1998. Its tiles come from Holland.';

const reading = Reading.parse({ searchText: 'When?' });
const cost = { modelCalls: 0, inputTokens: 0, outputTokens: 0, texts: 1, tookMs: 0 };

const found = (...hits: SearchHit[]): SearchResult => ({
  hits,
  notices: [],
  dropped: 0,
  tookMs: 1,
  timing: { plan: 0, encode: 0, candidates: 0, complete: 0, fuse: 0, rerank: 0, living: 0 },
  plan: {
    query: '',
    language: null,
    index: 'main',
    encoder: 'test',
    fusion: 'min-max',
    legs: [],
    candidates: 2,
    planning: 'none',
    reading,
    cost,
  },
});

type Writing = AnswerModel & { given: (readonly Source[])[] };
const writing = (pieces: Iterable<string>, failure?: Error, writer?: string): Writing => {
  const given: (readonly Source[])[] = [];
  return {
    id: 'test:writer',
    given,
    async *write(_, sources, _language, _signal, onWriter) {
      if (writer) onWriter?.(writer);
      given.push(sources);
      for (const piece of pieces) yield piece;
      if (failure) throw failure;
    },
  };
};

const nothingNear: Pick<CandidateStore, 'read'> = { read: async () => [] };

const ask = (
  result: SearchResult | Error,
  {
    query = 'How high should the pressure of the boiler be?',
    language = 'en' as string | null,
    store = nothingNear,
    ...ports
  }: Partial<AnswerPorts> & { query?: string; language?: string | null } = {},
) =>
  answerStream({
    search: async () => {
      if (result instanceof Error) throw result;
      return { ...result, plan: { ...result.plan, query, language } };
    },
    languageOf: () => language,
    store,
    ...ports,
  })(tenant, 't1', { query });

const listed = async (events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> => {
  const list: AnswerEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
};

const both = found(hit('heat', HEAT, 0.9), hit('roof', ROOF, 0.4));

describe("a tenant's own model", () => {
  const answerBy = (ownModel: AnswerPorts['ownModel'], model: AnswerModel) =>
    foldAnswer(ask(both, { model, ownModel, query: 'Where is the boiler?' }));
  const TEXT = ['The boiler is in the cellar [1].'];

  it("writes in place of the server's, and the answer names who wrote it", async () => {
    const [own, server] = [{ ...writing(TEXT), id: 'own' }, writing(TEXT)];
    expect((await answerBy(async (of) => (of === tenant ? own : undefined), server)).model).toBe('own');
    expect((await answerBy(async () => undefined, server)).model).toBe(server.id);
    expect((await answerBy(async () => writing(TEXT, undefined, 'fallback'), server)).model).toBe('fallback');
  });

  it("is never stood in for by the server's when it can't be told", async () => {
    const server = writing(TEXT);
    const unknown = () => Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'Nobody answers.'));
    const { model, found, notices } = await answerBy(unknown, server);
    expect([model, found, notices.map(({ code }) => code)]).toEqual(['extractive', true, ['SERVICE_UNAVAILABLE']]);
    expect(server.given).toEqual([]);
  });
});

describe('an answer without a model', () => {
  it('is made of the best sentences, each with its citation', async () => {
    const answer = await foldAnswer(ask(both));
    expect(answer.text).toContain('Its pressure should stay near 1.5 bar. [1]');
    expect(answer).toMatchObject({ found: true, model: 'extractive', notices: [] });
    expect(answer.citations[0]).toMatchObject({ marker: 1, paragraph: { id: 'heat', page: 3 } });
    expect(answer.hits).toHaveLength(2);
  });

  it('places each quote by code points within its paragraph', async () => {
    const answer = await foldAnswer(ask(found(hit('roof', ROOF, 0.9)), { query: 'Where do the tiles come from?' }));
    const { quote, quoteStart, quoteEnd } = answer.citations[0]!;
    expect([...ROOF].slice(quoteStart!, quoteEnd!).join('')).toBe(quote);
    expect(quote).toBe('Its tiles come from Holland.');
  });

  it('brings the sentence before, where one leans on it', async () => {
    const { text } = await foldAnswer(ask(found(hit('roof', ROOF, 0.9)), { query: 'Where do the tiles come from?' }));
    expect(text).toBe('The roof 𝒶 was laid in 1998. Its tiles come from Holland. [1]');
  });

  it('names the columns of a table row, and leaves headings out', async () => {
    const table = 'Prices\n\nArticle | Price | Stock\nBolt M8 | 2.50 kr | 100\nNut M8 | 1.25 kr | 80';
    const { text } = await foldAnswer(ask(found(hit('t', table, 0.9)), { query: 'What does a nut M8 cost?' }));
    expect(text).toBe('Article: Nut M8; Price: 1.25 kr; Stock: 80 [1]');
  });

  it('says that nothing was found, in the language of the question', async () => {
    const answer = await foldAnswer(
      ask(found(hit('heat', HEAT, 0.05)), { language: 'da', query: 'Hvem skrev operaen?' }),
    );
    expect(answer).toMatchObject({ found: false, citations: [], hits: [{ paragraph: { id: 'heat' } }] });
    expect(answer.text).toBe('Jeg fandt intet i dokumenterne, der besvarer dette spørgsmål.');
    expect((await foldAnswer(ask(found()))).text).toMatch(/^I found nothing/);
  });
});

describe('an answer by a model', () => {
  it('is written from the larger passage of a hit, once, and places its quotes within the hit', async () => {
    const part = hit('part', 'Its pressure should stay near 1.5 bar.', 0.9);
    const sibling = hit('sibling', 'Call Jensen when it falls.', 0.8);
    for (const { paragraph } of [part, sibling]) {
      paragraph.document = 'manual';
      paragraph.start = 100 + HEAT.indexOf(paragraph.text);
      paragraph.end = paragraph.start + paragraph.text.length;
    }
    const requests = new FakeRequests();
    requests.answer(parentTexts, async (_, { ids }) => ({
      parents: ids.map((id) => ({ id, start: 100, end: 100 + HEAT.length, text: HEAT })),
    }));
    const model = writing('It should be near 1.5 bar [1]. The boiler is in the cellar [1]. Call Jensen [2].');
    const read = { model, readParents: readParents(requests) };
    const [hits, ...events] = await listed(ask(found(part, sibling), read));
    expect(hits).toMatchObject({ hits: [{ paragraph: { text: part.paragraph.text } }, {}] });
    expect(model.given[0]?.map(({ paragraphs }) => paragraphs)).toEqual([
      [{ marker: 1, text: HEAT }],
      [{ marker: 2, text: sibling.paragraph.text }],
    ]);
    const citations = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(citations).toMatchObject([
      { marker: 1, quote: part.paragraph.text, quoteStart: 0, quoteEnd: 38, paragraph: { text: part.paragraph.text } },
      { marker: 2, quote: sibling.paragraph.text, quoteStart: 0 },
    ]);
    const elsewhere = ask(found(part), { ...read, model: writing('The boiler is in the cellar [1].') });
    expect((await foldAnswer(elsewhere)).citations).toMatchObject([
      { quote: 'The boiler is in the cellar.', quoteStart: null, quoteEnd: null },
    ]);
  });

  it('comes as hits, citations before the text that carries them, and an end', async () => {
    const events = await listed(
      ask(both, { model: writing('It should be near 1.5 bar [1]. The roof is from 1998 [2].') }),
    );
    expect(events.map(({ type }) => type)).toEqual(['hits', 'citation', 'text', 'citation', 'text', 'done']);
    expect(events[1]).toMatchObject({ citation: { marker: 1, quote: 'Its pressure should stay near 1.5 bar.' } });
    expect(events.at(-1)).toMatchObject({ found: true, model: 'test:writer', notices: [] });
  });

  it('never lets a wrong citation out, in whatever pieces it comes', async () => {
    const reply =
      'The pressure should be near 1.5 bar [2]. The boiler is in the cellar [1, 7]. The roof was laid in 1998 [2].';
    for (const pieces of [[reply], [...reply], reply.split(' ').map((word) => `${word} `)]) {
      const answer = await foldAnswer(ask(both, { model: writing(pieces) }));
      expect(answer.text.trim()).toBe(
        'The pressure should be near 1.5 bar. The boiler is in the cellar [1]. The roof was laid in 1998 [2].',
      );
      expect(answer.notices.map(({ code }) => code)).toEqual(['CITATION_REMOVED', 'CITATION_REMOVED']);
      expect(answer.notices[0]!.message).toContain(
        '[2], which does not support it: “The pressure should be near 1.5 bar [2].”',
      );
      expect(answer.notices[1]!.message).toContain('[7], which is no source');
    }
  });

  it('tells of each citation once', async () => {
    const answer = await foldAnswer(
      ask(both, { model: writing(['The boiler is in the cellar [1]. Call Jensen [1].']) }),
    );
    expect(answer.citations.map(({ marker }) => marker)).toEqual([1]);
  });

  it('gives the model no source that is not worth reading, and none at all where nothing fits', async () => {
    const model = writing(['The boiler is in the cellar [1].']);
    await foldAnswer(ask(found(hit('heat', HEAT, 0.9), hit('roof', ROOF, 0.01)), { model }));
    await foldAnswer(ask(found(hit('roof', ROOF, 0.01)), { model }));
    expect(model.given).toEqual([
      [{ title: 'House manual', trail: ['Heating'], paragraphs: [{ marker: 1, text: HEAT }] }],
    ]);
  });

  it('reads what stands next to a source with it, and cites the paragraph that says it', async () => {
    const payload = pointPayload({
      document: 'd-heat',
      text: 'The plumber is Jensen.',
      position: 1,
      trail: ['Heating'],
    });
    const model = writing(['The boiler is in the cellar [1]. The plumber is Jensen [2].']);
    const store = { read: async () => [{ id: 'next', payload, vector: null }] };
    const answer = await foldAnswer(ask(found(hit('heat', HEAT, 0.9)), { model, store }));
    expect(model.given[0]![0]!.paragraphs.map(({ text }) => text)).toEqual([HEAT, 'The plumber is Jensen.']);
    expect(answer.citations.map(({ paragraph: { id }, quote }) => [id, quote])).toEqual([
      ['heat', 'The boiler is in the cellar.'],
      ['next', 'The plumber is Jensen.'],
    ]);
  });

  it('goes on without what stands next to a source where the store does not give it, and says so', async () => {
    const store = { read: () => Promise.reject(new CodedError('STORE_UNREACHABLE', 'It is down.')) };
    const answer = await foldAnswer(ask(both, { model: writing(['The boiler is in the cellar [1].']), store }));
    expect(answer).toMatchObject({ found: true, model: 'test:writer', notices: [{ code: 'STORE_UNREACHABLE' }] });
  });

  it.each([['NOT_FOUND'], ['NOT_FOUND.'], [' **NOT_FOUND**\nThe sources say nothing about it [1].']])(
    'takes %j for not found',
    async (reply) => {
      const answer = await foldAnswer(ask(both, { model: writing([...reply]), language: 'da' }));
      expect(answer).toMatchObject({ found: false, citations: [], model: 'test:writer' });
      expect(answer.text).toBe('Jeg fandt intet i dokumenterne, der besvarer dette spørgsmål.');
    },
  );

  it('is replaced by the best sentences where the model fails, and says why', async () => {
    const model = writing([], new CodedError('MODEL_UNREACHABLE', 'No answer from the model.'));
    const answer = await foldAnswer(ask(both, { model }));
    expect(answer.text).toContain('Its pressure should stay near 1.5 bar. [1]');
    expect(answer).toMatchObject({ found: true, model: 'extractive', notices: [{ code: 'MODEL_UNREACHABLE' }] });
  });

  it('keeps what was written when the model fails midway, and goes on with the best sentences', async () => {
    const model = writing(['The boiler is in the cellar [1]. It sh'], new CodedError('MODEL_UNREACHABLE', 'gone'));
    const answer = await foldAnswer(ask(both, { model }));
    expect(answer.text).toMatch(/^The boiler is in the cellar \[1\]\. \n\n.*1\.5 bar\. \[1\]/);
    expect(answer.citations.map(({ marker }) => marker)).toEqual([
      ...new Set(answer.citations.map(({ marker }) => marker)),
    ]);
  });

  it('takes an empty reply for a malformed one', async () => {
    const answer = await foldAnswer(ask(both, { model: writing([' ', '\n']) }));
    expect(answer).toMatchObject({ model: 'extractive', notices: [{ code: 'MODEL_MALFORMED' }] });
  });

  it('masks a failure that no code foresees, and reports it', async () => {
    const faults: unknown[] = [];
    const events = answerStream({
      search: async () => ({ ...both, plan: { ...both.plan, query: 'boiler' } }),
      languageOf: () => 'en',
      store: nothingNear,
      model: writing([], new TypeError('secret')),
      onFault: (error) => faults.push(error),
    })(tenant, 't1', { query: 'boiler' });
    const answer = await foldAnswer(events);
    expect(answer.notices).toMatchObject([{ code: 'INTERNAL' }]);
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(faults).toHaveLength(1);
  });

  it('ends without a word more when the reader has gone', async () => {
    const reader = new AbortController();
    const model: AnswerModel = {
      id: 'test:slow',
      async *write() {
        yield 'The boiler is in the cellar [1]. And';
        reader.abort();
        throw new CodedError('MODEL_UNREACHABLE', 'aborted');
      },
    };
    const stream = answerStream({ search: async () => both, languageOf: () => 'en', store: nothingNear, model });
    const events = await listed(stream(tenant, 't1', { query: 'boiler' }, reader.signal));
    expect(events.map(({ type }) => type)).toEqual(['hits', 'citation', 'text']);
  });
});

describe('an answer that search refuses', () => {
  const refusal = new CodedError('QUERY_EMPTY', 'The question has no letter and no digit.');

  it('is one event with code and next step', async () => {
    expect(await listed(ask(refusal))).toEqual([{ type: 'refused', ...refusal.toFailure() }]);
  });

  it('is thrown by the fold', async () => {
    await expect(foldAnswer(ask(refusal))).rejects.toMatchObject({ code: 'QUERY_EMPTY' });
  });
});
