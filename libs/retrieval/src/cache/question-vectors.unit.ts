import { describe, expect, it } from 'vitest';
import { encodeQuestion, TenantId, tenantProfile } from '@postmaster/contracts';
import { FakeCandidateStore, FakeRequests, profileOf } from '@postmaster/testing';
import { retrievalService } from '../retrieval-service.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const WHERE = 'Where is the boiler?';

const setUp = () => {
  const world = { ms: 0, encoded: 0, encoder: 'one' };
  const requests = new FakeRequests();
  requests.answer(encodeQuestion, async (_, { also }) => {
    world.encoded++;
    const of = { index: `of-${world.encoder}`, encoder: world.encoder, vector: new Float32Array([1, 0]) };
    return { ...of, also: also?.map(() => new Float32Array([0, 1])) };
  });
  requests.answer(tenantProfile, async ({ tenant }) => profileOf(tenant));
  const retrieval = retrievalService({
    ...{ requests, store: new FakeCandidateStore(), languageOf: () => null, now: () => world.ms },
  });
  return { world, retrieval };
};

describe('the vector of a question', () => {
  it('is encoded once for search and answer, and the plan says so', async () => {
    const { retrieval, world } = setUp();
    const search = async (tenant = ours) => (await retrieval.search(tenant, tenant, { query: WHERE })).plan.cached;
    expect(await search()).toEqual([]);
    expect(await search()).toEqual(['question-vector']);
    expect(await search(theirs)).toEqual([]);
    expect(world.encoded).toBe(2);
  });

  it('is not that of the same question with another text beside it', async () => {
    const { retrieval, world } = setUp();
    const variations = [{ kind: 'answer', text: 'It stands in the cellar.' }];
    const search = async (rest: object) =>
      (await retrieval.search(ours, ours, { query: WHERE, options: { plan: { searchText: WHERE, ...rest } } })).plan
        .cached;
    expect([await search({}), await search({ variations }), await search({ variations })]).toEqual([
      [],
      [],
      ['question-vector'],
    ]);
    expect(world.encoded).toBe(2);
  });

  it('outlives changes of documents, and is not that of another encoder', async () => {
    const { retrieval, world } = setUp();
    const plan = async (query = WHERE) => (await retrieval.search(ours, ours, { query })).plan;
    await plan();
    world.encoder = 'two';
    expect(await plan()).toMatchObject({ index: 'of-one', cached: ['question-vector'] });
    world.ms += 10_000; // by now the index is asked for again
    expect(await plan('Another question?')).toMatchObject({ index: 'of-two' });
    expect(await plan()).toMatchObject({ index: 'of-two', encoder: 'two', cached: [] });
  });
});
