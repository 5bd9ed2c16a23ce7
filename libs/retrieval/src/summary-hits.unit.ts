import { describe, expect, it } from 'vitest';
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
import { search, type SearchPorts, type SearchRequest } from './search.js';
import { SUMMARY_WEIGHT } from './summary-hits.js';

const tenant = TenantId.parse('t1');
const SEARCHED = 'lantern oyster dividend';
/** A unit vector with the cosine to the question's. */
const leaning = (cosine: number): Float32Array => Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2));

const setUp = () => {
  const [store, requests] = [new FakeCandidateStore(), new FakeRequests()];
  const gone = new Set<string>();
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector: leaning(1) }));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids.filter((id) => !gone.has(id)) }));
  const put = (id: string, document: string, text: string, cosine: number, position = 0, version = 1) =>
    store.put(tenant, {
      id,
      payload: pointPayload({ document, text, position, version }),
      vectors: { paragraph: leaning(cosine) },
    });
  const sum = (document: string, text: string, cosine: number, version = 1) =>
    put(summaryId(document, version), document, text, cosine, SUMMARY_POSITION, version);
  const reranked: string[][] = [];
  const rerank: SearchPorts['rerank'] = async (_, __, ___, fused) => {
    reranked.push(fused.map(({ candidate }) => candidate.id));
    return { ranked: [...fused].reverse(), notices: [] };
  };
  const plain = search({ requests, store, languageOf: () => 'en' });
  const reversed = search({ requests, store, languageOf: () => 'en', rerank });
  const find = (options: object = {}, rest: Partial<SearchRequest> = {}) =>
    plain(tenant, 't', { query: SEARCHED, first: 20, ...rest, options: { planning: 'none', ...options } });
  return { store, requests, gone, put, sum, plain, find, reversed, reranked };
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
  it('stand by their score where they hold more of what is asked for than each paragraph of their document', async () => {
    const found = await withReport().find();
    expect(idsOf(found)).toContain(REPORT);
    expect(idsOf(found).indexOf(REPORT)).toBeLessThan(idsOf(found).indexOf('sold'));
    expect(idsOf(found)).not.toContain(summaryId('shop', 1));
    const scores = found.hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const hit = found.hits.find(({ paragraph }) => paragraph.id === REPORT)!;
    expect(hit.score).toBeCloseTo(SUMMARY_WEIGHT, 6); // better on both legs than every paragraph
    expect(hit.why.map(({ leg }) => leg)).toEqual(['paragraph', 'lexical']);
    expect(hit.why.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(hit.score, 6);
  });

  it('are left out where a paragraph of their document holds as much of what is asked for, whatever its score', async () => {
    const world = withReport();
    world.put('all', 'annual', 'a lantern, an oyster, a dividend', 0.01, 3);
    expect(idsOf(await world.find())).not.toContain(REPORT);
  });

  it.each(FUSIONS)('change no score and no place of a paragraph, by %s', async (fusion) => {
    const world = withReport();
    const found = await world.find({ fusion });
    const without = await world.find({ fusion, summaries: false });
    expect(without.hits.every(({ paragraph }) => paragraph.position >= 0)).toBe(true);
    expect(found.hits.filter(({ paragraph }) => paragraph.position >= 0)).toEqual(without.hits);
    expect(found.plan.candidates).toBe(without.plan.candidates);
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

  it('are read again by a reranker like paragraphs', async () => {
    const world = withReport();
    const { hits } = await world.reversed(tenant, 't', { query: SEARCHED, first: 20 });
    expect(world.reranked[0]).toContain(REPORT);
    expect(idsOf({ hits })).toEqual([...world.reranked[0]!].reverse());
  });

  it('go with their document, whoever still has them', async () => {
    const world = withReport();
    world.gone.add(REPORT);
    const found = await world.find();
    expect(idsOf(found)).not.toContain(REPORT);
    expect(found.dropped).toBe(1);
  });

  it('are of one version, the newest', async () => {
    const world = withReport();
    world.sum('annual', 'Annual report\nlantern oyster dividend', 0.8, 2);
    const summaries = idsOf(await world.find()).filter((id) => id.startsWith('summary-'));
    expect(summaries).toEqual([summaryId('annual', 2)]);
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
    const stream = answerStream({ search: world.plain, store: world.store, languageOf: () => 'en' });
    const answer = await foldAnswer(stream(tenant, 't', { query: SEARCHED, options: { summaries: true } }));
    expect(idsOf(answer).length).toBeGreaterThan(0);
    expect(idsOf(answer)).not.toContain(REPORT);
    expect(world.store.calls).not.toContain('summaries');
  });
});
