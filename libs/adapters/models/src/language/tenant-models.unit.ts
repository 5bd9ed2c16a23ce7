import { describe, expect, it } from 'vitest';
import { type OwnModels, TenantId } from '@postmaster/contracts';
import { modelsAt } from './models-from-config.js';
import { entityModels, modelsOfChoice, tenantModels } from './tenant-models.js';

const tenant = TenantId.parse('ours');
const server = modelsAt('openai', { url: 'http://127.0.0.1:1/v1', model: 'server' }).entities;
const said = (given: Partial<OwnModels>): OwnModels => ({
  ...{ version: 1, llmModel: null, entitiesBy: 'server' },
  ...given,
});
const own = { model: 'anthropic:own', url: 'https://example.org' };
const asked = async (given: Partial<OwnModels>, entitiesBy: 'rules' | 'model', entities = server) => {
  const saidBy = tenantModels(() => Promise.resolve(said(given)));
  return (await entityModels(saidBy, { entities, entitiesBy })(tenant))?.id;
};

describe('who reads the entities of a tenant', () => {
  it.each<[string, Partial<OwnModels>, 'rules' | 'model', string | undefined]>([
    ['rules, unless somebody says otherwise', {}, 'rules', undefined],
    ['the server’s model, as the operator says', {}, 'model', 'openai:server'],
    ['its own model, as the operator says', { llmModel: own }, 'model', 'anthropic:own'],
    ['the server’s model, as it says itself', { entitiesBy: 'model' }, 'rules', 'openai:server'],
    ['its own model, as it says itself', { entitiesBy: 'model', llmModel: own }, 'rules', 'anthropic:own'],
    ['rules, as it says itself', { entitiesBy: 'rules', llmModel: own }, 'model', undefined],
  ])('is %s', async (_, given, operator, id) => expect(await asked(given, operator)).toBe(id));

  it('is nobody but rules where there is no model at all', async () => {
    const saidBy = tenantModels(() => Promise.resolve(said({ entitiesBy: 'model' })));
    expect(await entityModels(saidBy, { entitiesBy: 'model' })(tenant)).toBeUndefined();
  });

  it('is known again after seconds, and as it was where it can’t be asked for', async () => {
    let now = 0;
    let answer: OwnModels | undefined = said({ entitiesBy: 'model' });
    const ask = () => (answer ? Promise.resolve(answer) : Promise.reject(new Error('out')));
    const read = entityModels(tenantModels(ask, {}, () => now), { entities: server, entitiesBy: 'rules' });
    expect((await read(tenant))?.id).toBe('openai:server');
    answer = undefined;
    now = 10_000;
    expect((await read(tenant))?.id).toBe('openai:server');
    answer = said({ entitiesBy: 'rules' });
    now = 20_000;
    expect(await read(tenant)).toBeUndefined();
  });
});

describe('a tenant’s own chain', () => {
  it('asks its fallbacks in their order, and nobody of the server’s', () => {
    const { facets, fallbacks } = modelsOfChoice({
      ...{ model: 'one', url: 'https://one.example.org/v1' },
      fallbacks: [{ model: 'anthropic:two', apiKey: 'k' }, { model: 'ollama:three', url: 'https://three.example.org' }],
    });
    expect([facets.id, ...(facets.fallbacks ?? [])]).toEqual(['openai:one', 'anthropic:two', 'ollama:three']);
    expect(fallbacks.map(({ id }) => id)).toEqual(['anthropic:two', 'ollama:three']);
  });

  it.each([
    ['first', { model: 'one', url: 'http://10.1.2.3/v1' }],
    ['fallback', { model: 'one', url: 'http://127.0.0.1:9/v1', fallbacks: [{ model: 'two', url: 'http://10.1.2.3/v1' }] }],
  ])('reaches no private address with its %s', async (_, choice) => {
    const models = modelsOfChoice(choice, { allowedHosts: ['127.0.0.1'] });
    const tried = [models.tryOnce, ...models.fallbacks.map(({ tryOnce }) => tryOnce)].at(-1)!; // there is a first
    expect(await tried()).toMatchObject({ ok: false, failure: { message: expect.stringContaining('public internet') } });
  });
});
