import { describe, expect, it } from '@jest/globals';
import {
  encodeQuestion,
  FUSIONS,
  livingParagraphs,
  SUMMARY_POSITION,
  summaryId,
  TenantId,
} from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, pointPayload } from '@postmaster/testing';
import { answerStream, foldAnswer } from './answer.js';
import { search, type SearchRequest } from './search.js';

const tenant = TenantId.parse('t1');
const SEARCHED = 'lantern oyster dividend';
/** A unit vector with the cosine to the question's. */
const leaning = (cosine: number): Float32Array => Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2));

const setUp = () => {
  const [store, requests] = [new FakeCandidateStore(), new FakeRequests()];
  const gone = new Set<string>();
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector: leaning(1) }));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids.filter((id) => !gone.has(id)) }));
  const put = (id: string, document: string, text: string, cosine: number, position = 0) =>
    store.put(tenant, {
      id,
      payload: pointPayload({ document, text, position }),
      vectors: { paragraph: leaning(cosine) },
    });
  const sum = (document: string, text: string, cosine: number) =>
    put(summaryId(document, 1), document, text, cosine, SUMMARY_POSITION);
  const run = search({ requests, store, languageOf: () => 'en' });
  const find = (options: object = {}, rest: Partial<SearchRequest> = {}) =>
    run(tenant, 't', { query: SEARCHED, first: 20, ...rest, options: { planning: 'none', ...options } });
  return { store, requests, gone, put, sum, run, find };
};

/** The annual report says each of three things in a paragraph of its own, and its summary all of them. */
const withReport = () => {
  const world = setUp();
  world.put('lamps', 'shop', 'lantern lantern lantern', 0.5);
  world.put('sold', 'annual', 'a lantern was sold', 0.4);
  world.put('bred', 'annual', 'an oyster was bred', 0.3, 1);
  world.put('paid', 'annual', 'a dividend was paid', 0.2, 2);
  world.put('nothing', 'shop', 'nothing else is said', 0.1, 1);
  world.sum('annual', 'Annual report\nlantern oyster dividend', 0.9);
  world.sum('shop', 'Shop\nlantern', 0.1);
  return world;
};
const idsOf = ({ hits }: { hits: { paragraph: { id: string } }[] }) => hits.map(({ paragraph }) => paragraph.id);
const REPORT = summaryId('annual', 1);

describe('summaries among hits', () => {
  it('stand by their score where they tell more than a paragraph of their document', async () => {
    const found = await withReport().find();
    expect(idsOf(found)).toContain(REPORT);
    expect(idsOf(found).indexOf(REPORT)).toBeLessThan(idsOf(found).indexOf('sold'));
    expect(idsOf(found)).not.toContain(summaryId('shop', 1));
    const scores = found.hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const hit = found.hits.find(({ paragraph }) => paragraph.id === REPORT)!;
    expect(hit.why.map(({ leg }) => leg)).toEqual(['paragraph', 'lexical']);
    expect(hit.why.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(hit.score, 6);
  });

  it('are left out below a paragraph of their document that holds as much of what is asked for', async () => {
    const world = withReport();
    world.put('all', 'annual', 'a lantern, an oyster, a dividend', 0.95, 3);
    expect(idsOf(await world.find())).not.toContain(REPORT);
  });

  it('stay below their paragraphs where none of these holds as much of it', async () => {
    const world = withReport();
    world.put('near', 'annual', 'lantern oyster, lantern oyster', 1, 3);
    const found = idsOf(await world.find());
    expect(found.indexOf(REPORT)).toBeGreaterThan(found.indexOf('near'));
  });

  it.each(FUSIONS)('change no score and no place of a paragraph, by %s', async (fusion) => {
    const world = withReport();
    const found = await world.find({ fusion });
    const without = await world.find({ fusion, summaries: false });
    expect(without.hits.every(({ paragraph }) => paragraph.position >= 0)).toBe(true);
    expect(found.hits.filter(({ paragraph }) => paragraph.position >= 0)).toEqual(without.hits);
    expect(found.plan.candidates).toBe(without.plan.candidates);
  });

  it('come after a paragraph of the same score', async () => {
    const world = setUp();
    world.put('p', 'one', 'lantern oyster dividend', 0.9);
    world.sum('other', 'lantern oyster dividend', 0.9);
    expect(idsOf(await world.find({ fusion: 'mean' }))[0]).toBe('p');
  });

  it('fold with nothing: a paragraph that one repeats is a hit', async () => {
    const world = setUp();
    const text = 'The lantern by the oyster beds pays a dividend to every member of the society each March.';
    world.put('weak', 'shop', text, 0.1);
    world.put('strong', 'shop', 'lantern oyster dividend', 0.9, 1);
    world.sum('copy', text, 0.8);
    const found = await world.find();
    expect(idsOf(found)).toEqual(expect.arrayContaining(['weak', summaryId('copy', 1)]));
    expect(found.hits.flatMap(({ duplicates }) => duplicates)).toEqual([]);
  });

  it('go with their document, whoever still has them', async () => {
    const world = withReport();
    world.gone.add(REPORT);
    const found = await world.find();
    expect(idsOf(found)).not.toContain(REPORT);
    expect(found.dropped).toBe(1);
  });

  it('are of the version that answers, and not of two at once', async () => {
    const world = withReport();
    world.put(summaryId('annual', 2), 'annual', 'Annual report\nlantern oyster dividend', 0.8, SUMMARY_POSITION);
    expect(idsOf(await world.find()).filter((id) => id.startsWith('summary-'))).toEqual([REPORT]);
  });

  it('stand in the group of their document', async () => {
    const { groups } = await withReport().find({ groupBy: 'document' });
    expect(idsOf(groups!.find(({ document }) => document === 'annual')!)).toContain(REPORT);
  });

  it('are left alone where their legs count nothing', async () => {
    const world = withReport();
    world.put('faceted', 'shop', 'x', 0.1, 2);
    await world.find({ weights: { paragraph: 0, lexical: 0 } });
    expect(world.store.calls).not.toContain('summaries');
  });

  it('are no sources of an answer, whatever the question says', async () => {
    const world = withReport();
    const stream = answerStream({ search: world.run, store: world.store, languageOf: () => 'en' });
    const answer = await foldAnswer(stream(tenant, 't', { query: SEARCHED, options: { summaries: true } }));
    expect(idsOf(answer).length).toBeGreaterThan(0);
    expect(idsOf(answer)).not.toContain(REPORT);
    expect(world.store.calls).not.toContain('summaries');
  });
});
