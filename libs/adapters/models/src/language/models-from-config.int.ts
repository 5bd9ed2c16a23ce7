import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { modelsFromConfig } from './models-from-config.js';

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

  it.each(['openai', 'ollama'] as const)('connects to %s with all that was set', async (LLM_PROVIDER) => {
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

  it('wants the name of a model', () => {
    expect(() => modelsFromConfig({ LLM_PROVIDER: 'ollama' })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('LLM_MODEL') }),
    );
  });
});
