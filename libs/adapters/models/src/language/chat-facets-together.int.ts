import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FacetInput, FacetModel } from '@postmaster/enrichment';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { modelsFromConfig } from './models-from-config.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.forget());
afterAll(() => server.close());

const input = (text: string, language = 'en'): FacetInput => ({
  ...{ title: 'Harbour', trail: [], before: '', text, after: '', language },
});
const modelOf = (LLM_PARAGRAPHS_PER_CALL?: number): FacetModel =>
  modelsFromConfig({ LLM_PROVIDER: 'openai', LLM_URL: server.url, LLM_MODEL: 'm', LLM_PARAGRAPHS_PER_CALL }).facets;
const TEXTS = ['The harbour opens at eight.', 'The ferry leaves at nine.'] as const;

describe('several paragraphs in one call of a chat model', () => {
  it('are held to one form, with the instructions of one paragraph, and have facets each', async () => {
    const model = modelOf(2);
    const [first, second] = TEXTS;
    const reply = await model.makeFacetsOf?.([input(first), input(second)]);
    const alone = await model.makeFacets(input(first));
    expect(reply?.facets).toHaveLength(2);
    expect(reply?.facets[0]?.scope).toBe(alone.facets.scope);
    expect(reply?.facets[1]?.scope).toContain('ferry');
    expect(reply?.facets[1]?.promptVersion).toBe(alone.facets.promptVersion);
    expect(reply?.usage).toMatchObject({ calls: 1 });
    const [together, single] = server.calls;
    expect(together).toMatchObject({ way: 'json_schema', asked: { kind: 'facets-together', paragraphs: TEXTS } });
    expect(together?.system).toBe(single?.system);
    expect(server.paragraphs).toEqual([...TEXTS, first]);
  });

  it('are asked for in Danish of a Danish document', async () => {
    await modelOf(2).makeFacetsOf?.([input('Havnen åbner klokken otte.', 'da'), input('Færgen sejler.', 'da')]);
    expect(server.calls[0]?.prompt).toMatch(/^Skriv søgeindgangene på dansk/);
  });

  it('are as many as the configuration says', () => {
    expect([modelOf().paragraphsPerCall, modelOf(3).paragraphsPerCall]).toEqual([undefined, 3]);
  });
});
