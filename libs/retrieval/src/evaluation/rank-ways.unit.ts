import { describe, expect, it } from 'vitest';
import { EVALUATION_WAYS, type EvaluationWay, LEGS, TenantId } from '@postmaster/contracts';
import { FakeCandidateStore, pointPayload } from '@postmaster/testing';
import { type EvaluationPlace, type PlannedWay, rankBy, rankShared, rankTimed } from './rank-ways.js';
import { DEFAULT_WEIGHTS } from '../fuse-scores.js';
import { ablationPlans, compositePlan, WAY_PLANS } from './way-plans.js';

const tenant = TenantId.parse('evaluation-1');
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
const question = { text: 'apples', vector: at(0) };

/** Points at every two degrees, each other one about apples; some have no facets yet. */
const setUp = (count: number, paragraphs = count) => {
  const store = new FakeCandidateStore();
  for (let i = 0; i < count; i++)
    store.put(tenant, {
      id: `p${String(i).padStart(4, '0')}`,
      payload: pointPayload({ text: i % 2 ? 'apples and pears' : 'nothing' }),
      vectors: {
        paragraph: at(2 * i),
        simple_questions: [at(170 - 2 * i), at(90)],
        complex_questions: [at(i)],
        ...(i % 3 === 0 ? {} : { context: at(3 * i), scope: at(50) }),
      },
    });
  const indexes = { composite: 'c', plain: 'c', contextual: 'c', joined: 'c' };
  return { store, place: { tenant, indexes, paragraphs } satisfies EvaluationPlace };
};

const ABLATIONS = ablationPlans(DEFAULT_WEIGHTS);
const WAYS = Object.entries(WAY_PLANS) as PlannedWay[]; // its own keys
const now = () => 0;

describe('the ways of an evaluation', () => {
  it('all have a plan, but those that are searches of another kind', () => {
    const planned = new Set([
      ...Object.keys(WAY_PLANS),
      ...Object.keys(ABLATIONS),
      'composite',
      'composite-exact',
      'hyde',
      'with-entities',
    ]);
    expect([...planned].sort()).toEqual([...EVALUATION_WAYS].sort());
  });

  it.each(WAYS)('%s ranks the same alone as with the others', async (way, plan) => {
    const { store, place } = setUp(60);
    const shared = await rankShared({ store }, place, 100, question, WAYS);
    const alone = await rankTimed({ store, now }, place, 100)(question, plan);
    expect(shared[way]?.ranked).toEqual(alone.ranked);
    expect(alone.ms).toBe(0);
    expect(shared[way]?.ms).toBeNull();
  });

  it.each(WAYS.filter(([, { legs, ranksOnly }]) => legs.length > 1 && !ranksOnly))(
    '%s ranks by lists that hold everything as by scores that the store completes',
    async (_, plan) => {
      const whole = setUp(60);
      const cut = setUp(60, 10_000); // believed to have more: the deep lists are still whole
      const shallow = { ...plan, depth: 60 }; // so deep that all come, and not deeper: completion is asked for
      const by = (world: typeof whole, own: typeof plan) =>
        rankTimed({ store: world.store, now }, world.place, 100)(question, own);
      expect((await by(whole, plan)).ranked).toEqual((await by(cut, shallow)).ranked);
      expect(whole.store.calls).toEqual(['candidates']);
      expect(cut.store.calls).toEqual(['candidates', 'complete']);
    },
  );

  it('fuse ranks by the lists alone: a paragraph gets nothing from a list that lacks it', () => {
    const score = 1;
    const lists = {
      paragraph: ['a', 'b', 'c'].map((id) => ({ id, score })),
      lexical: ['c', 'b'].map((id) => ({ id, score })),
    };
    // a 1/61; b 1/62 + 1/62; c 1/63 + 1/61
    expect(rankBy(WAY_PLANS['hybrid-rrf']!, { lists, candidates: [] }, 10)).toEqual(['c', 'b', 'a']);
    const even = {
      paragraph: ['a', 'b'].map((id) => ({ id, score })),
      lexical: ['b', 'a'].map((id) => ({ id, score })),
    };
    expect(rankBy(WAY_PLANS['hybrid-rrf']!, { lists: even, candidates: [] }, 10)).toEqual(['b', 'a']); // as the words say
  });

  it('leave out with a leg what only that leg brought', () => {
    const lists = Object.fromEntries(
      LEGS.map((leg) => [leg, leg === 'scope' ? [{ id: 'only', score: 1 }] : [{ id: 'all', score: 1 }]]),
    );
    const candidates = [
      { id: 'only', scores: { scope: 1 } },
      { id: 'all', scores: { paragraph: 1 } },
    ];
    expect(rankBy(compositePlan(DEFAULT_WEIGHTS), { lists, candidates }, 10)).toHaveLength(2);
    expect(rankBy(ABLATIONS['without-scope' satisfies EvaluationWay]!, { lists, candidates }, 10)).toEqual(['all']);
  });

  it('find nothing where the evaluation lacks their points', async () => {
    const { store, place } = setUp(3);
    const { 'contextual-rrf': found } = await rankShared({ store }, { ...place, indexes: {} }, 5, question, WAYS);
    expect(found?.ranked).toEqual([]);
  });
});
