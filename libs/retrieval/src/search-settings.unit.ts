import { describe, expect, it } from 'vitest';
import { encodeQuestion, livingParagraphs, type SearchSettings, TenantId, tenantProfile } from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, profileOf } from '@postmaster/testing';
import { retrievalService } from './retrieval-service.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');

const setUp = (settings: () => SearchSettings, { encoder = 'test', language = null as string | null } = {}) => {
  const clock = { ms: 0, asked: 0 };
  const requests = new FakeRequests();
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder, vector: new Float32Array([1, 0]) }));
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  requests.answer(tenantProfile, async ({ tenant }) => {
    clock.asked++;
    return profileOf(tenant, tenant === ours ? settings() : {});
  });
  const { search } = retrievalService({
    ...{ requests, store: new FakeCandidateStore(), languageOf: () => language, now: () => clock.ms },
  });
  const find = async (options = {}, tenant = ours) => {
    const { plan, notices } = await search(tenant, tenant, { query: 'Where is it?', options });
    const weights = Object.fromEntries(plan.legs.map(({ leg, weight }) => [leg, weight]));
    return { fusion: plan.fusion, weights, notices: notices.map(({ message }) => message) };
  };
  return { clock, find };
};

describe('the search settings of a tenant', () => {
  it('count where a question names none, leg by leg, and for no other tenant', async () => {
    const { find } = setUp(() => ({ fusion: 'rrf', weights: { lexical: 0, scope: 2 } }));
    expect(await find()).toMatchObject({ fusion: 'rrf', weights: { paragraph: 0.4, scope: 2 }, notices: [] });
    expect((await find()).weights).not.toHaveProperty('lexical');
    expect(await find({ fusion: 'max', weights: { scope: 3 } })).toMatchObject({
      fusion: 'max',
      weights: { scope: 3 },
    });
    expect((await find({ weights: { scope: 3 } })).weights).not.toHaveProperty('lexical');
    expect(await find({}, theirs)).toMatchObject({ fusion: 'min-max', weights: { lexical: 0.9, scope: 0.15 } });
  });

  it.each([
    ['the language’s, where nobody says otherwise', {}, {}, { lexical: 1.5, scope: 0.05 }],
    ['the tenant’s over the language’s', { lexical: 0.7 }, {}, { lexical: 0.7, scope: 0.05 }],
    ['the question’s over the tenant’s', { lexical: 0.7 }, { weights: { lexical: 2 } }, { lexical: 2, scope: 0.05 }],
    [
      'a plan’s factors on both, but not on the question’s own',
      { lexical: 0.7 },
      { weights: { context: 1 }, plan: { searchText: 'Hvor er den?', favour: { lexical: 2, scope: 2, context: 2 } } },
      { lexical: 1.4, scope: 0.1, context: 1 },
    ],
  ])('leave weights in their order: %s', async (_, weights, options, expected) => {
    const { find } = setUp(() => ({ weights }), { encoder: 'minilm:all-minilm-l6-v2@1', language: 'da' });
    expect((await find(options)).weights).toMatchObject(expected);
  });

  it('are asked for once a second, and by one of those who ask together', async () => {
    const { clock, find } = setUp(() => ({}));
    await Promise.all([find(), find(), find()]);
    clock.ms = 999;
    await find();
    expect(clock.asked).toBe(1);
    clock.ms = 1_000;
    await find();
    expect(clock.asked).toBe(2);
  });

  it('are those known last while their owner is away, else the product’s, and a notice says which', async () => {
    let away = true;
    const { clock, find } = setUp(() => {
      if (away) throw new Error('away');
      return { fusion: 'max' };
    });
    expect(await find()).toMatchObject({ fusion: 'min-max', notices: [expect.stringContaining("the product's")] });
    away = false;
    clock.ms += 1_000;
    expect(await find()).toMatchObject({ fusion: 'max', notices: [] });
    away = true;
    clock.ms += 1_000;
    expect(await find()).toMatchObject({ fusion: 'max', notices: [expect.stringContaining('known last')] });
  });
});
