import { describe, expect, it } from '@jest/globals';
import { CodedError, encodeQuestion, livingParagraphs, type PointPayload, TenantId } from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, pointPayload } from '@postmaster/testing';
import { search } from './search.js';

const tenant = TenantId.parse('t1');

/** Words counted into 64 places: near for texts that share words. */
const vectorOf = (text: string): Float32Array => {
  const vector = new Float32Array(64);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let place = 7;
    for (const character of word) place = (place * 31 + character.charCodeAt(0)) % 64;
    vector[place]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

const setUp = () => {
  const store = new FakeCandidateStore();
  const requests = new FakeRequests();
  const gone = new Set<string>();
  const asked: string[][] = [];
  requests.answer(encodeQuestion, async (_, { text }) => ({ index: 'main', encoder: 'test', vector: vectorOf(text) }));
  requests.answer(livingParagraphs, async (_, { ids }) => {
    asked.push(ids);
    return { living: ids.filter((id) => !gone.has(id)) };
  });
  const add = (id: string, given: Partial<PointPayload> & { text: string }, of = tenant) => {
    const payload = pointPayload({ document: `d-${id}`, ...given });
    const list = (texts: string[]) => (texts.length > 0 ? texts.map(vectorOf) : undefined);
    store.put(of, {
      id,
      payload,
      vectors: {
        paragraph: vectorOf(payload.text),
        simple_questions: list(payload.simpleQuestions),
        complex_questions: list(payload.complexQuestions),
        ...(payload.context ? { context: vectorOf(payload.context) } : {}),
        ...(payload.scope ? { scope: vectorOf(payload.scope) } : {}),
      },
    });
  };
  const find = search({ requests, store, languageOf: () => 'en' });
  return {
    store,
    requests,
    gone,
    asked,
    add,
    find: (query: string, rest = {}) => find(tenant, 't1', { query, ...rest }),
  };
};

const withFiller = () => {
  const world = setUp();
  world.add('heat', {
    text: 'The boiler is in the cellar. Its pressure should stay near 1.5 bar. Call Jensen when it falls.',
    simpleQuestions: ['Where is the boiler?', 'How high should the pressure of the boiler be?'],
    complexQuestions: ['What is to be done when pressure falls?'],
    context: 'A house manual on heating.',
    scope: 'Boiler, pressure, service.',
  });
  world.add('roof', { text: 'The roof was laid in 1998. Its tiles come from Holland.' });
  world.add('garden', { text: 'Apple trees stand in the garden. They were planted by the former owner.' });
  return world;
};

describe('search', () => {
  it('finds the paragraph and says why, leg by leg', async () => {
    const { find } = withFiller();
    const { hits, plan, notices } = await find('How high should the pressure be?');
    expect(hits[0]).toMatchObject({ paragraph: { id: 'heat', document: 'd-heat' } });
    expect(hits[0]!.why.map(({ leg, text }) => [leg, text])).toEqual([
      ['paragraph', 'Its pressure should stay near 1.5 bar.'],
      ['simple_questions', 'How high should the pressure of the boiler be?'],
      ['complex_questions', 'What is to be done when pressure falls?'],
      ['context', 'A house manual on heating.'],
      ['scope', 'Boiler, pressure, service.'],
      ['lexical', 'Its pressure should stay near 1.5 bar.'],
    ]);
    expect(hits[0]!.why.reduce((sum, { weight, scaled }) => sum + weight * scaled, 0)).toBeCloseTo(hits[0]!.score, 9);
    expect(plan).toMatchObject({ index: 'main', encoder: 'test', fusion: 'min-max', candidates: 3 });
    expect(notices).toEqual([]);
  });

  it('asks the store twice at most, and not for completion where nothing was found', async () => {
    const { find, store } = withFiller();
    await find('pressure');
    expect(store.calls).toEqual(['candidates', 'complete']);
    const empty = setUp();
    expect((await empty.find('pressure')).hits).toEqual([]);
    expect(empty.store.calls).toEqual(['candidates']);
  });

  it('scores a paragraph without facets on what it has', async () => {
    const { find } = withFiller();
    const { hits } = await find('When was the roof laid?');
    expect(hits[0]).toMatchObject({ paragraph: { id: 'roof' } });
    expect(hits[0]!.why.map(({ leg }) => leg)).toEqual(['paragraph', 'lexical']);
  });

  it('gives relevance near 1 to what answers and near 0 to what only came out on top', async () => {
    const { find } = withFiller();
    const fits = (await find('Where is the boiler?')).hits[0]!;
    const stray = (await find('Who composed the opera Maskarade?')).hits[0]!;
    expect(fits.relevance).toBeGreaterThan(0.7);
    expect(stray.relevance).toBeLessThan(0.1);
    expect(stray.score).toBeGreaterThan(0.7);
  });

  it('leaves out what is below minRelevance', async () => {
    const { find } = withFiller();
    const { hits } = await find('How high should the pressure be?', { options: { minRelevance: 0.3 } });
    expect(hits.map(({ paragraph }) => paragraph.id)).toEqual(['heat']);
  });

  it('gives at most `first` hits', async () => {
    const { find } = withFiller();
    expect((await find('the', { first: 2 })).hits).toHaveLength(2);
  });

  it('keeps to the filter and to the tenant', async () => {
    const { find, add } = withFiller();
    add('theirs', { text: 'How high should the pressure be?' }, TenantId.parse('t2'));
    const { hits } = await find('pressure', { filter: { documents: ['d-roof'] } });
    expect(hits.map(({ paragraph }) => paragraph.id)).toEqual(['roof']);
    expect((await find('pressure', { first: 100 })).hits).toHaveLength(3);
  });

  it('drops hits whose owner says that they are gone, and fills their places', async () => {
    const { find, gone, asked } = withFiller();
    gone.add('heat');
    const { hits, dropped } = await find('pressure of the boiler', { first: 2 });
    expect(hits).toHaveLength(2);
    expect(hits.map(({ paragraph }) => paragraph.id)).not.toContain('heat');
    expect(dropped).toBe(1);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['says nothing', () => new Promise<never>(() => undefined)],
    ['fails', () => Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'down'))],
  ])('keeps every hit, and says so, when the owner %s', async (_, reply) => {
    const { find, requests } = withFiller();
    requests.answer(livingParagraphs, reply);
    const { hits, notices } = await find('pressure');
    expect(hits).toHaveLength(3);
    expect(notices).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }]);
  });

  it('leaves out a leg of weight 0, and takes another fusion', async () => {
    const { find } = withFiller();
    const { hits, plan } = await find('pressure', { options: { fusion: 'rrf', weights: { lexical: 0, scope: 0 } } });
    expect(plan.fusion).toBe('rrf');
    expect(plan.legs.map(({ leg }) => leg)).not.toContain('lexical');
    const heat = hits.find(({ paragraph }) => paragraph.id === 'heat')!;
    expect(heat.why.map(({ leg }) => leg)).toEqual(['paragraph', 'simple_questions', 'complex_questions', 'context']);
  });

  it('holds bulk encoding while it is in flight, also when it fails', async () => {
    const { requests, store } = withFiller();
    const log: string[] = [];
    const hold = () => {
      log.push('held');
      return () => log.push('released');
    };
    requests.answer(encodeQuestion, async () => {
      log.push('encoding');
      throw new CodedError('ENCODER_UNREACHABLE', 'down');
    });
    const find = search({ requests, store, languageOf: () => null, hold: hold as () => () => void });
    await expect(find(tenant, 't1', { query: 'pressure' })).rejects.toMatchObject({ code: 'ENCODER_UNREACHABLE' });
    expect(log).toEqual(['held', 'encoding', 'released']);
  });

  it.each([
    ['an empty question', { query: '  ' }, 'QUERY_EMPTY'],
    ['one without letters or digits', { query: '?!… —' }, 'QUERY_EMPTY'],
    ['one of 100,000 characters', { query: 'a'.repeat(100_000) }, 'QUERY_TOO_LONG'],
    ['no hits asked for', { query: 'a', first: 0 }, 'INPUT_INVALID'],
    ['101 hits asked for', { query: 'a', first: 101 }, 'INPUT_INVALID'],
    ['an unknown filter field', { query: 'a', filter: { author: 'x' } }, 'FILTER_INVALID'],
    ['a filter of the wrong type', { query: 'a', filter: { languages: 'da' } }, 'FILTER_INVALID'],
    ['a date that is none', { query: 'a', filter: { addedFrom: 'yesterday' } }, 'FILTER_INVALID'],
    ['an unknown option', { query: 'a', options: { fusion: 'best' } }, 'INPUT_INVALID'],
    ['weights of nothing but 0', { query: 'a', options: { weights: zeroes() } }, 'INPUT_INVALID'],
  ])('refuses %s', async (_, request, code) => {
    const { requests, store } = setUp();
    const refused = search({ requests, store, languageOf: () => null })(tenant, 't1', request);
    await expect(refused).rejects.toMatchObject({ code });
    expect(store.calls).toEqual([]);
  });

  it('names the known filter fields and their types', async () => {
    const { find } = setUp();
    await expect(find('a', { filter: { author: 'x' } })).rejects.toThrow(
      /author.*languages \(list of ISO 639-1 codes\)/,
    );
  });

  it('takes 4,000 characters, each of two UTF-16 units', async () => {
    const { find } = setUp();
    expect((await find('𝒶'.repeat(4_000))).hits).toEqual([]);
    await expect(find('𝒶'.repeat(4_001))).rejects.toMatchObject({ code: 'QUERY_TOO_LONG' });
  });
});

function zeroes() {
  return { paragraph: 0, simple_questions: 0, complex_questions: 0, context: 0, scope: 0, lexical: 0 };
}
