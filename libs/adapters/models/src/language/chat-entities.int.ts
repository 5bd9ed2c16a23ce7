import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENTITY_TEXTS, type ModelServer, RECORDED_ENTITIES, startModelServer } from '@postmaster/testing';
import { modelsAt, type Provider } from './models-from-config.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { fault: undefined, entities: undefined, refused: [] });
  server.forget();
});
afterAll(() => server.close());

const PLACES: Record<Provider, () => string> = {
  openai: () => `${server.url}/v1`,
  ollama: () => server.url,
  anthropic: () => server.url,
  google: () => server.url,
};
const read = (provider: Provider, language: 'da' | 'en') =>
  modelsAt(provider, { url: PLACES[provider](), model: 'm', apiKey: 'k' }).entities.readEntities(
    { title: 'Aftale', language, texts: ENTITY_TEXTS[language] },
    new AbortController().signal,
  );
const recorded = (texts: readonly string[]) => ({
  passages: texts.map((text, at) => ({ number: at + 1, ...RECORDED_ENTITIES[text] })),
});

describe.each(Object.keys(PLACES) as Provider[])('entities and relations from a chat model of %s', (provider) => {
  it.each(['da', 'en'] as const)('are asked for in "%s", several paragraphs a call, held to the form', async (language) => {
    server.behaviour.entities = recorded;
    const { reply, usage, model } = await read(provider, language);
    expect(reply).toEqual(recorded(ENTITY_TEXTS[language]));
    expect([usage.inputTokens > 0, model]).toEqual([true, `${provider}:m`]);
    expect(server.calls).toMatchObject([{ asked: { kind: 'entities', texts: ENTITY_TEXTS[language] } }]);
    expect(server.calls[0]!.system).toContain(language === 'da' ? 'Du udpeger' : 'You point out');
    expect(server.calls[0]!.system).toContain('works_for: person → organisation');
  });
});

describe('a reply about entities', () => {
  it('may come in any form that the server can be held to', async () => {
    server.behaviour.refused = ['json_schema', 'tools'];
    expect((await read('openai', 'en')).reply.passages).toHaveLength(2);
  });

  it.each([
    ['no passages', { entities: [] }],
    ['someone else’s form', [{ number: 1 }]],
    ['a passage without its number', { passages: [{ entities: [], relations: [] }] }],
  ])('is refused with %s', async (_, reply) => {
    server.behaviour.entities = () => reply;
    await expect(read('openai', 'en')).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
  });

  it('is missing where the server refuses, declines, breaks off, or sends something else', async () => {
    server.behaviour.fault = { kind: 'status', status: 401 };
    await expect(read('openai', 'en')).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    for (const kind of ['garbage', 'wrong-shape', 'token-limit', 'many-questions'] as const) {
      server.behaviour.fault = { kind };
      await expect(read('openai', 'en')).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
    }
    server.behaviour.fault = { kind: 'declined' };
    await expect(read('openai', 'en')).rejects.toMatchObject({ code: 'MODEL_DECLINED' });
  });
});
