import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.js';
import { standInFacets } from './model-server/stand-in-replies.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { latencyMs: 0, fault: undefined, refused: [], answer: undefined });
  server.forget();
});
afterAll(() => server.close());

const about = (paragraph: string) => `Write.\n${JSON.stringify({ title: 'T', headings: [], paragraph })}`;
const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', ...body }),
    signal,
  });
const openAi = (prompt: string, more: object = {}) =>
  post('/v1/chat/completions', { messages: [{ role: 'user', content: prompt }], ...more });

interface Body {
  choices?: { message: { content: string; tool_calls?: { function: { name: string } }[] } }[];
  message?: { content: string };
  response?: string;
}
/** What the tests look at in each dialect's reply. */
const bodyOf = async (reply: Promise<Response>): Promise<Body> => JSON.parse(await (await reply).text()) as Body;

describe('the stand-in model server', () => {
  it('makes the same facets of the same paragraph in each dialect', async () => {
    const messages = [{ role: 'user', content: about('Bees sleep.') }];
    const texts = [
      (await bodyOf(openAi(about('Bees sleep.')))).choices?.[0]?.message.content,
      (await bodyOf(post('/api/chat', { messages, stream: false }))).message?.content,
      (await bodyOf(post('/api/generate', { prompt: about('Bees sleep.'), stream: false }))).response,
    ];
    const facets = standInFacets({ title: 'T', paragraph: 'Bees sleep.' });
    for (const text of texts) expect(JSON.parse(text ?? '')).toEqual(facets);
    expect(server.paragraphs).toEqual(['Bees sleep.', 'Bees sleep.', 'Bees sleep.']);
  });

  it('calls the tool that it is given', async () => {
    const reply = await bodyOf(openAi(about('x'), { tools: [{ type: 'function', function: { name: 'facets' } }] }));
    expect(reply.choices?.[0]?.message.tool_calls?.[0]?.function.name).toBe('facets');
    expect(server.calls[0]?.way).toBe('tools');
  });

  it('streams the words of an answer from the first source, with its citation', async () => {
    const prompt = JSON.stringify({ question: 'When?', sources: [{ text: 'It opens at nine. Then more.' }] });
    const lines = (await (await openAi(prompt, { stream: true })).text()).split('\n\n');
    const text = lines.map((line) => /"content":"([^"]*)"/.exec(line)?.[1] ?? '').join('');
    expect(text).toBe('It opens at nine. [1]');
    expect(lines.at(-2)).toBe('data: [DONE]');
  });

  it('fails as often as it is told, and then no more', async () => {
    server.failNext(2, { kind: 'status', status: 429, retryAfterSeconds: 7 });
    const replies = [await openAi(about('a')), await openAi(about('a')), await openAi(about('a'))];
    expect(replies.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(replies[0]?.headers.get('retry-after')).toBe('7');
    expect(server.paragraphs).toEqual(['a']);
  });

  it('refuses a way of structured output that it is told to lack', async () => {
    server.behaviour.refused = ['json_schema'];
    expect((await openAi(about('a'), { response_format: { type: 'json_schema' } })).status).toBe(400);
    expect((await openAi(about('a'), { response_format: { type: 'json_object' } })).status).toBe(200);
  });

  it('closes the connection in the middle of a reply', async () => {
    server.behaviour.fault = { kind: 'cut' };
    await expect(openAi(about('a')).then((reply) => reply.text())).rejects.toThrow();
  });

  it('knows the calls whose client went away', async () => {
    server.behaviour.fault = { kind: 'hang' };
    const client = new AbortController();
    const asked = post('/api/generate', { prompt: about('a') }, client.signal);
    while (server.running === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    client.abort();
    await expect(asked).rejects.toThrow();
    while (server.running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(server.calls.map(({ outcome }) => outcome)).toEqual(['gone']);
  });

  it('counts how many calls ran at once', async () => {
    server.behaviour.latencyMs = 30;
    await Promise.all(['a', 'b', 'c'].map((paragraph) => openAi(about(paragraph))));
    expect(server.peak).toBe(3);
  });

  it('wants its key, where it has one', async () => {
    const locked = await startModelServer({ apiKey: 'k' });
    const ask = (authorization: string) => fetch(`${locked.url}/v1/models`, { headers: { authorization } });
    expect([(await ask('Bearer x')).status, (await ask('Bearer k')).status]).toEqual([401, 200]);
    await locked.close();
  });
});
