import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { modelsAt } from './models-from-config.js';

const input = { title: 'T', trail: [], before: '', text: 'It opens at nine.', after: '', language: 'en' };
const sources = [{ title: 'T', trail: [], paragraphs: [{ marker: 1, text: 'At nine. Then more.' }] }];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { contextLength: undefined, chats: true });
  server.forget();
});
afterAll(() => server.close());

const models = (more = {}) => modelsAt('ollama', { url: server.url, model: 'm', ...more });
const windows = () => server.calls.map(({ window }) => window);

describe('an Ollama server', () => {
  it.each([
    ['8,192 tokens of a model that takes more', 131_072, {}, 8_192],
    ['all that a small one takes', 2_048, {}, 2_048],
    ['8,192 where it does not tell', undefined, {}, 8_192],
    ['what was set', 131_072, { windowTokens: 32_000 }, 32_000],
  ])('is asked for a window of %s, the same for each task', async (_what, contextLength, set, window) => {
    server.behaviour.contextLength = contextLength;
    const { facets, answers } = models(set);
    await facets.makeFacets(input);
    for await (const _piece of answers.write('When?', sources, 'en')) continue;
    expect(windows()).toEqual([window, window]);
  });

  it('whose model has no chat is asked by /api/generate from then on, in pieces too', async () => {
    server.behaviour.chats = false;
    const { facets, answers } = models();
    await facets.makeFacets(input);
    const said: string[] = [];
    for await (const piece of answers.write('When?', sources, 'en')) said.push(piece);
    expect(said.join('')).toBe('At nine. [1]');
    await facets.makeFacets(input);
    expect(server.calls.map(({ path }) => path)).toEqual(['/api/chat', ...Array<string>(3).fill('/api/generate')]);
  });

  it('is asked in the way that its address names', async () => {
    await models({ url: `${server.url}/api/generate` }).facets.makeFacets(input);
    await models({ url: `${server.url}/api/chat/` }).facets.makeFacets(input);
    expect(server.calls.map(({ path }) => path)).toEqual(['/api/generate', '/api/chat']);
  });
});
