import { describe, expect, it } from 'vitest';
import {
  CodedError,
  encodeQuestion,
  knownValues,
  livingParagraphs,
  type PointPayload,
  TenantId,
} from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, PLAN_KNOWN, PLAN_NOW, pointPayload } from '@postmaster/testing';
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
  const encoded: string[][] = [];
  requests.answer(encodeQuestion, async (_, { text, also = [] }) => {
    encoded.push([text, ...also]);
    return { index: 'main', encoder: 'test', vector: vectorOf(text), also: also.map(vectorOf) };
  });
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
  requests.answer(knownValues, async () => ({ ...PLAN_KNOWN, metadata: {} }));
  const find = search({ requests, store, languageOf: () => 'en', today: () => PLAN_NOW });
  return {
    store,
    requests,
    gone,
    asked,
    encoded,
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
    expect(hits[0]!.why.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(hits[0]!.score, 9);
    expect(plan).toMatchObject({ index: 'main', encoder: 'test', fusion: 'min-max', candidates: 3 });
    expect(notices).toEqual([]);
  });

  it('asks the store twice at most, and not for completion where nothing was found', async () => {
    const { find, store } = withFiller();
    await find('pressure');
    expect(store.calls).toEqual(['candidates', 'summaries', 'complete']);
    const empty = setUp();
    expect((await empty.find('pressure')).hits).toEqual([]);
    expect(empty.store.calls).toEqual(['candidates', 'summaries']);
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

  it('folds what repeats a better hit, and counts `first` after that', async () => {
    const { find, add, gone } = withFiller();
    for (let copy = 0; copy < 30; copy++)
      add(`copy${copy}`, { text: 'The roof was laid in 1998; its tiles come from Holland!' });
    const folded = async () => {
      const { hits } = await find('When was the roof laid?', { first: 2 });
      expect(hits).toHaveLength(2);
      return hits.find(({ duplicates }) => duplicates.length > 0)!;
    };
    const before = await folded();
    expect(before.duplicates).toHaveLength(30);
    expect((await find('When was the roof laid?', { options: { foldDuplicates: false } })).hits).toHaveLength(5);
    gone.add(before.paragraph.id);
    const after = await folded();
    expect(after.paragraph.id).toBe(before.duplicates[0]!.id);
    expect(after.duplicates).toEqual(before.duplicates.slice(1));
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

describe('a search by a plan', () => {
  const withMails = () => {
    const world = setUp();
    const mail = { contentType: 'message/rfc822', text: 'The receipt of the pharmacy for the ointment.' };
    world.add('october', { ...mail, createdAt: '2026-10-05T00:00:00.000Z' });
    world.add('june', { ...mail, createdAt: '2026-06-05T00:00:00.000Z' });
    world.add('scan', { ...mail, contentType: 'application/pdf', createdAt: '2026-10-06T00:00:00.000Z' });
    return world;
  };
  /** The mails say the same, so that one hit stands for all that were found. */
  const idsOf = ({ hits }: Awaited<ReturnType<ReturnType<typeof setUp>['find']>>) =>
    hits.flatMap(({ paragraph, duplicates }) => [paragraph.id, ...duplicates.map(({ id }) => id)]);

  it('finds what the conditions of a request let through, by its other words', async () => {
    const { find, encoded } = withMails();
    const result = await find('email receipt from the pharmacy last October');
    expect(idsOf(result)).toEqual(['october']);
    expect(result.notices).toEqual([]);
    expect(encoded).toEqual([['receipt pharmacy']]);
    expect(result.plan).toMatchObject({ planning: 'rules', query: 'email receipt from the pharmacy last October' });
    expect(result.plan.legs).toContainEqual({ leg: 'context', weight: 0.3 });
  });

  it('gives up the least certain condition first where nothing is found, and says which', async () => {
    const { find, store } = withMails();
    const result = await find('email receipt from the pharmacy in September');
    expect(idsOf(result).sort()).toEqual(['june', 'october']);
    expect(result.notices).toMatchObject([
      { code: 'FILTER_RELAXED', message: expect.stringContaining('2026-09-01 to before 2026-10-01 ("in September")') },
    ]);
    expect(store.calls).toEqual(['candidates', 'summaries', 'candidates', 'summaries', 'complete']);
  });

  it("never gives up the caller's own filter, which goes before the plan's on the same field", async () => {
    const { find } = withMails();
    const filter = { contentTypes: ['application/pdf'], createdFrom: '2026-01-01' };
    expect(idsOf(await find('email from last year', { filter }))).toEqual(['scan']);
    const nothing = await find('email receipt from last October', { filter: { documents: ['d-other'] } });
    expect(nothing.hits).toEqual([]);
    expect(nothing.notices.map(({ code }) => code)).toEqual(['FILTER_RELAXED', 'FILTER_RELAXED']);
  });

  it('is the same plan when it is edited and sent back', async () => {
    const { find } = withMails();
    const { plan } = await find('email receipt from the pharmacy last October');
    const edited = {
      ...plan.reading,
      conditions: plan.reading.conditions.filter(({ field }) => field === 'created'),
    };
    const again = await find(plan.query, { options: { plan: edited } });
    expect(idsOf(again).sort()).toEqual(['october', 'scan']);
    expect(again.plan).toMatchObject({ planning: 'given', reading: edited });
  });

  it('leaves a plain question and its words alone, whatever year it names', async () => {
    const { find, encoded } = withMails();
    const { plan } = await find('Who wrote the receipt in 2019?');
    expect(plan.reading).toMatchObject({ kind: 'fact', conditions: [], favour: {} });
    expect(encoded).toEqual([['Who wrote the receipt in 2019?']]);
  });

  it('encodes its variations in the same request, and keeps the words of the request for the lexical leg', async () => {
    const { find, encoded, add } = setUp();
    add('words', { text: 'Pressure falls.' });
    add('answer', { text: 'The valve leaks.' });
    const asOne = { searchText: 'pressure', variations: [{ kind: 'answer', text: 'The valve leaks.' }] };
    const { hits } = await find('pressure', { options: { plan: asOne } });
    expect(encoded).toEqual([['pressure', 'The valve leaks.']]);
    const legOf = (id: string, leg: string) =>
      hits.find(({ paragraph }) => paragraph.id === id)!.why.find((one) => one.leg === leg)!.score;
    expect(legOf('answer', 'paragraph')).toBeCloseTo(Math.SQRT1_2, 5); // the unit mean of two that share nothing
    expect(legOf('answer', 'lexical')).toBe(0);
    expect(legOf('words', 'lexical')).toBeGreaterThan(0);
  });
});
