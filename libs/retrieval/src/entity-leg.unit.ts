import { describe, expect, it } from 'vitest';
import { CodedError, encodeQuestion, entityParagraphs, livingParagraphs, TenantId } from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, pointPayload } from '@postmaster/testing';
import { search } from './search.js';

const tenant = TenantId.parse('t1');
const VECTOR = Float32Array.of(1, 0);

const setUp = () => {
  const [store, requests] = [new FakeCandidateStore(), new FakeRequests()];
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector: VECTOR }));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  const find = search({ requests, store, languageOf: () => 'en' });
  return {
    requests,
    add: (id: string, { text }: { text: string }) =>
      store.put(tenant, {
        id,
        payload: pointPayload({ document: `d-${id}`, text }),
        vectors: { paragraph: id === 'said' ? Float32Array.of(0, 1) : VECTOR },
      }),
    find: (query: string, { options = {}, ...rest }: { first?: number; options?: object } = {}) =>
      find(tenant, 't1', { query, ...rest, options: { planning: 'none', ...options } }),
  };
};

describe('the leg of entities', () => {
  const named = (world: ReturnType<typeof setUp>) => {
    world.add('said', { text: 'The clerk refused the loan.' });
    world.add('like', { text: 'The bank of the river was refused as a loan of land.' });
    for (let at = 0; at < 60; at++) world.add(`other-${at}`, { text: `A bank gave loan number ${at}.` });
    world.requests.answer(entityParagraphs, async (_, { query, graph }) => ({
      paragraphs: query.includes('DB') && !graph ? [{ id: 'said', score: 0.8, names: ['Danske Bank'] }] : [],
    }));
    return world;
  };
  const QUESTION = 'Which bank loan did DB give?';
  const weights = { entities: 3 };

  it('asks nobody unless it has a weight', async () => {
    const world = named(setUp());
    world.requests.answer(entityParagraphs, () => Promise.reject(new Error('asked')));
    const { plan, notices } = await world.find(QUESTION);
    expect(plan.legs.map(({ leg }) => leg)).not.toContain('entities');
    expect(notices).toEqual([]);
  });

  it('brings paragraphs that no other leg found, and says by which names', async () => {
    const world = named(setUp());
    const before = await world.find(QUESTION, { first: 1 });
    expect(before.hits[0]?.paragraph.id).not.toBe('said');
    const { hits, plan } = await world.find(QUESTION, { first: 1, options: { weights } });
    expect(hits[0]?.paragraph.id).toBe('said');
    const why = hits[0]?.why.find(({ leg }) => leg === 'entities');
    expect(why).toMatchObject({ score: 0.8, scaled: 1, rank: 1, text: 'Danske Bank' });
    expect(hits[0]?.why.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(hits[0]!.score, 9);
    expect(plan.legs.at(-1)).toEqual({ leg: 'entities', weight: 3 });
  });

  it('changes nothing where the question names nothing, and is left out with a notice where nobody answers', async () => {
    const world = named(setUp());
    const plain = await world.find('Which bank gave loan 7?');
    const with0 = await world.find('Which bank gave loan 7?', { options: { weights } });
    expect(with0.hits).toEqual(plain.hits);
    world.requests.answer(entityParagraphs, () => Promise.reject(new CodedError('TIMED_OUT', 'late')));
    const late = await world.find(QUESTION, { options: { weights } });
    expect(late.notices.map(({ code }) => code)).toEqual(['SERVICE_UNAVAILABLE']);
    expect(late.hits.length).toBeGreaterThan(0);
  });
});
