import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import type { FellBack } from './model-chain.js';
import { modelsFromConfig, namedModel } from './models-from-config.js';

const input = { title: 'T', trail: [], before: '', text: 'It opens at nine.', after: '', language: 'en' };
const sources = [{ title: 'T', trail: [], paragraphs: [{ marker: 1, text: 'At nine. Then more.' }] }];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  server.behaviour.fault = undefined;
  server.forget();
});
afterAll(() => server.close());

describe('modelsFromConfig', () => {
  it('is the extractive enricher alone where no provider is named', async () => {
    const models = modelsFromConfig({ LLM_CONCURRENCY: 4, LLM_TIMEOUT_MS: 1000 });
    expect(models.facets.id).toBe('extractive');
    expect(models.answers).toBeUndefined();
    expect(await models.tryOnce()).toEqual({ ok: true, tookMs: 0 });
  });

  it.each(['openai', 'ollama', 'anthropic', 'google'] as const)('connects to %s with all that was set', async (LLM_PROVIDER) => {
    const models = modelsFromConfig({ LLM_PROVIDER, LLM_URL: server.url, LLM_MODEL: 'm', LLM_CONCURRENCY: 7 });
    expect(models.facets).toMatchObject({ id: `${LLM_PROVIDER}:m`, concurrency: 7, remote: false });
    expect(models.answers?.id).toBe(`${LLM_PROVIDER}:m`);
    expect(await models.tryOnce()).toMatchObject({ ok: true });
    expect(server.calls).toHaveLength(1);
  });

  it('asks for an estimate where the model is on another machine', () => {
    expect(modelsFromConfig({ LLM_PROVIDER: 'openai', LLM_MODEL: 'm' }).facets.remote).toBe(true);
    expect(modelsFromConfig({ LLM_PROVIDER: 'ollama', LLM_MODEL: 'm' }).facets.remote).toBe(false);
  });

  it('says what is wrong with a configured model, after one try', async () => {
    server.behaviour.fault = { kind: 'status', status: 404 };
    const { tryOnce } = modelsFromConfig({ LLM_PROVIDER: 'openai', LLM_URL: server.url, LLM_MODEL: 'm' });
    expect(await tryOnce()).toMatchObject({ ok: false, failure: { code: 'MODEL_REFUSED', next: expect.any(String) } });
    server.behaviour.fault = { kind: 'status', status: 503 };
    expect(await tryOnce()).toMatchObject({ ok: false, failure: { code: 'MODEL_UNREACHABLE' } });
    expect(server.calls).toHaveLength(2);
  });

  it('asks a fallback where the first model is out, which it then leaves alone, and says who made what', async () => {
    const gone = 'http://127.0.0.1:1';
    const fell: FellBack[] = [];
    const { facets, answers, fallbacks } = modelsFromConfig(
      {
        ...{ LLM_PROVIDER: 'ollama', LLM_URL: gone, LLM_MODEL: 'first', LLM_TIMEOUT_MS: 5_000 },
        LLM_FALLBACK: [{ model: 'anthropic:claude-x', url: server.url }, { model: 'plain', url: server.url }],
      },
      (one) => fell.push(one),
    );
    expect([facets.id, facets.remote, facets.fallbacks]).toEqual(['ollama:first', false, ['anthropic:claude-x', 'openai:plain']]);
    expect(fallbacks.map(({ id }) => id)).toEqual(facets.fallbacks);
    const [one, other] = await Promise.all([facets.makeFacets(input), facets.makeFacets({ ...input, text: 'Or at ten.' })]);
    expect([one, other].map((made) => made?.facets.model)).toEqual(['anthropic:claude-x', 'anthropic:claude-x']);
    const said: string[] = [];
    let writer = '';
    const pieces = answers!.write('When?', sources, 'en', undefined, (id) => (writer = id));
    for await (const piece of pieces) said.push(piece);
    expect([writer, said.join('')]).toEqual(['anthropic:claude-x', 'At nine. [1]']);
    expect(fell.map(({ to, why }) => [to, why])).toEqual([
      ['anthropic:claude-x', 'down'],
      ['anthropic:claude-x', 'down'],
      ['anthropic:claude-x', 'skipped'],
    ]);
  }, 40_000);

  it('takes no fallback of no model', () => {
    expect(() => modelsFromConfig({ LLM_FALLBACK: [{ model: 'plain' }] })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('LLM_PROVIDER') }),
    );
  });

  it.each([
    ['gpt-4o-mini', 'openai', 'gpt-4o-mini'],
    ['ollama:llama3.2:3b', 'ollama', 'llama3.2:3b'],
    ['anthropic:claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5'],
    ['google:gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['qwen2.5:7b', 'openai', 'qwen2.5:7b'],
    ['constructor:x', 'openai', 'constructor:x'],
  ])('takes %s for a model of %s', (named, provider, model) => expect(namedModel(named)).toEqual({ provider, model }));

  it('wants the name of a model', () => {
    expect(() => modelsFromConfig({ LLM_PROVIDER: 'ollama' })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('LLM_MODEL') }),
    );
  });
});
