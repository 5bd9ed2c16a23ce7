import { describe, expect, it } from 'vitest';
import {
  type Changes,
  CodedError,
  encodeQuestion,
  knownValues,
  livingParagraphs,
  type SearchOptions,
  TenantId,
  tenantProfile,
} from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, PLAN_KNOWN, profileOf } from '@postmaster/testing';
import type { PlanModel } from '../plan/plan-model.js';
import { retrievalService } from '../retrieval-service.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const BILLS = 'bills from last month';

const setUp = () => {
  const world = {
    ms: 10_000,
    today: new Date('2026-11-21T12:00:00Z'),
    known: PLAN_KNOWN,
    failure: undefined as unknown,
  };
  const forms: string[] = [];
  const model: PlanModel = {
    id: 'test:planner',
    fill: async (_, form) => {
      forms.push(form.name);
      if (world.failure) throw world.failure;
      const reading = { kind: 'fact', search_text: 'bills', keywords: ['invoice'], sender: null, conditions: [] };
      const reply = form.name === 'query_variations' ? { questions: ['Which?'], answer: 'This.' } : reading;
      return { reply: form.reply.parse(reply), usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
  let heard: Parameters<Changes['follow']>[1] | undefined;
  const changes: Changes = {
    follow: (_types, listener) => {
      heard = listener as unknown as Parameters<Changes['follow']>[1]; // of the types that are followed
      return { hears: () => true, stop: () => undefined };
    },
  };
  const requests = new FakeRequests();
  requests.answer(encodeQuestion, async (_, { also }) => ({
    ...{ index: 'main', encoder: 'test', vector: new Float32Array([1, 0]) },
    also: also?.map(() => new Float32Array([0, 1])),
  }));
  requests.answer(knownValues, async () => world.known);
  requests.answer(tenantProfile, async ({ tenant }) => profileOf(tenant));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  const lookUps: string[] = [];
  const retrieval = retrievalService({
    ...{ requests, store: new FakeCandidateStore(), planner: model, changes, languageOf: () => 'en' },
    ...{ now: () => world.ms, today: () => world.today },
    onLookUp: (cache, outcome) => void (cache === 'plan' && lookUps.push(outcome)),
  });
  const plan = async (options: SearchOptions = {}, query = BILLS, tenant = ours) => {
    const { plan } = await retrieval.search(tenant, tenant, { query, options: { planning: 'model', ...options } });
    return { cached: plan.cached?.includes('plan'), calls: plan.cost.modelCalls, plan };
  };
  const change = (tenant: TenantId): void =>
    heard?.see({ id: 'e', type: 'paragraphs.indexed', tenant, time: '', data: {} } as never); // all that is looked at
  return { world, plan, change, forms, lookUps };
};

describe('the plan that a model made before', () => {
  it('is the same reading, costs no call, says so, and is counted', async () => {
    const { plan, lookUps } = setUp();
    const [first, second] = [await plan(), await plan()];
    expect([first.cached, first.calls, second.cached, second.calls]).toEqual([false, 1, true, 0]);
    expect(second.plan.reading).toEqual(first.plan.reading);
    expect(second.plan.cost).toMatchObject({ inputTokens: 0, outputTokens: 0 });
    expect(lookUps).toEqual(['miss', 'hit']);
  });

  it.each<[string, SearchOptions, string, TenantId, (world: ReturnType<typeof setUp>['world']) => unknown]>([
    ['of another request', {}, 'bills from last year', ours, () => undefined],
    ['of another tenant', {}, BILLS, theirs, () => undefined],
    ['who wants it anew', { fresh: true }, BILLS, ours, () => undefined],
    ['on another day', {}, BILLS, ours, (world) => (world.today = new Date('2026-11-22T00:00:00Z'))],
    [
      'of a tenant that has other collections since',
      {},
      BILLS,
      ours,
      (world) => Object.assign(world, { ms: world.ms + 61_000, known: { ...PLAN_KNOWN, collections: ['New'] } }),
    ],
  ])('is not that %s', async (_, options, query, tenant, move) => {
    const { world, plan, forms } = setUp();
    await plan();
    move(world);
    expect(await plan(options, query, tenant)).toMatchObject({ cached: false, calls: 1 });
    expect(forms).toHaveLength(2);
  });

  it('is kept apart from the variations, which are kept by what was asked for', async () => {
    const { plan, forms } = setUp();
    await plan({ questions: 1 });
    expect(await plan({ questions: 1 })).toMatchObject({ cached: true, calls: 0 });
    expect(await plan({ questions: 1, hypothetical: true })).toMatchObject({ cached: true, calls: 1 });
    expect(forms.filter((form) => form === 'query_variations')).toHaveLength(2);
  });

  it('is dropped when a document of the tenant changes, and of no other', async () => {
    const { world, plan, change } = setUp();
    for (const tenant of [ours, theirs]) await plan({}, BILLS, tenant);
    world.ms += 100;
    change(theirs);
    expect((await plan()).cached).toBe(true);
    expect((await plan({}, BILLS, theirs)).cached).toBe(false);
    expect((await plan({}, BILLS, theirs)).cached).toBe(false); // begun while the change may still settle
    world.ms += 3_000;
    await plan({}, BILLS, theirs);
    expect((await plan({}, BILLS, theirs)).cached).toBe(true);
  });

  it('is none where the model failed', async () => {
    const { world, plan } = setUp();
    world.failure = new CodedError('MODEL_UNREACHABLE', 'away');
    expect(await plan()).toMatchObject({ cached: false, plan: { planning: 'rules' } });
    world.failure = undefined;
    expect(await plan()).toMatchObject({ cached: false, plan: { planning: 'model' } });
  });
});

describe('what a tenant’s documents have', () => {
  it('is asked for again once a change was heard of, not only after a minute', async () => {
    const { world, plan, change } = setUp();
    const words = 'letters in the collection New';
    const fields = async () =>
      (await plan({ planning: 'rules' }, words)).plan.reading.conditions.map(({ field }) => field);
    expect(await fields()).not.toContain('collection');
    world.known = { ...PLAN_KNOWN, collections: [...PLAN_KNOWN.collections, 'New'] };
    world.ms += 5_000;
    expect(await fields()).not.toContain('collection');
    change(ours);
    expect(await fields()).toContain('collection');
  });
});
