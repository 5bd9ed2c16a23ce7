import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError } from '@postmaster/contracts';
import type { FacetInput, FacetModel } from '@postmaster/enrichment';
import { type ModelServer, standInFacets, startModelServer } from '@postmaster/testing';
import { type ChatSettings, ollamaFacets, openAiFacets } from './models-from-config.js';

const KEY = 'sk-very-secret';
const again = { attempts: 2, malformed: 2, initialDelayMs: 1 };
const input: FacetInput = {
  title: 'Handbook',
  trail: ['Leave'],
  before: '',
  text: 'Parents have twenty-four weeks of leave with full pay.',
  after: '',
  language: 'en',
};
const expected = standInFacets({ title: 'Handbook', headings: ['Leave'], paragraph: input.text });

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ apiKey: KEY });
});
beforeEach(() => {
  Object.assign(server.behaviour, { latencyMs: 0, fault: undefined, refused: [] });
  server.forget();
});
afterAll(() => server.close());

const failureOf = async (work: Promise<unknown>): Promise<CodedError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CodedError)) throw new Error(`expected a CodedError, got ${String(error)}`);
  return error;
};

describe.each([
  ['openai', openAiFacets],
  ['ollama', ollamaFacets],
])('facets from a %s server', (provider, connect) => {
  const model = (settings: Partial<ChatSettings> = {}): FacetModel =>
    connect({ url: server.url, model: 'stand-in', apiKey: KEY, again, ...settings });

  it('are read from one call, with its usage', async () => {
    const { facets, usage } = await model().makeFacets(input);
    expect(facets).toEqual({
      simpleQuestions: expected.simple_questions.map((text) => ({ text })),
      complexQuestions: expected.complex_questions.map((text) => ({ text })),
      context: expected.context,
      scope: expected.scope,
      model: `${provider}:stand-in`,
      promptVersion: expect.stringMatching(/^facets-3\/en@[0-9a-f]{8}$/),
      quality: null,
    });
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
    expect(server.calls.map(({ way }) => way)).toEqual(['json_schema']);
  });

  it('are asked for in the next way where one is refused, and not in the refused one again', async () => {
    server.behaviour.refused = ['json_schema', 'tools'];
    const one = model({ model: 'any-json' });
    expect((await one.makeFacets(input)).facets.scope).toBe(expected.scope);
    await model({ model: 'any-json' }).makeFacets(input);
    expect(server.calls.map(({ way }) => way)).toEqual(['json_schema', 'tools', 'json_object', 'json_object']);
  });

  it('can be read from a call of a tool', async () => {
    server.behaviour.refused = ['json_schema'];
    expect((await model({ model: 'tools-only' }).makeFacets(input)).facets.scope).toBe(expected.scope);
    expect(server.calls.at(-1)).toMatchObject({ way: 'tools', outcome: 'answered' });
  });

  it('are refused where no way of asking is taken, and the best way is tried first the next time', async () => {
    server.behaviour.refused = ['json_schema', 'tools', 'json_object', 'text'];
    const one = model();
    expect(await failureOf(one.makeFacets(input))).toMatchObject({ code: 'MODEL_REFUSED' });
    server.behaviour.refused = [];
    await one.makeFacets(input);
    expect(server.calls.at(-1)?.way).toBe('json_schema');
  });

  it.each([429, 500, 503])('are asked for again after a %i', async (status) => {
    server.failNext(2, { kind: 'status', status });
    await model().makeFacets(input);
    expect(server.calls).toHaveLength(3);
  });

  it('are asked for again after a broken connection', async () => {
    server.failNext(1, { kind: 'cut' });
    await model().makeFacets(input);
    expect(server.paragraphs).toEqual([input.text]);
  });

  it('wait as long as the server asks for, and leave a long wait to the caller', async () => {
    server.failNext(1, { kind: 'status', status: 429, retryAfterSeconds: 0.05 });
    await model().makeFacets(input);
    server.forget();
    server.failNext(1, { kind: 'status', status: 429, retryAfterSeconds: 3600 });
    expect(await failureOf(model().makeFacets(input))).toMatchObject({ code: 'MODEL_UNREACHABLE', retryAfter: 3600 });
    expect(server.calls).toHaveLength(1);
  });

  it('are given up as unreachable when the server keeps failing', async () => {
    server.behaviour.fault = { kind: 'status', status: 503 };
    expect(await failureOf(model().makeFacets(input))).toMatchObject({ code: 'MODEL_UNREACHABLE' });
    expect(server.calls).toHaveLength(3);
  });

  it.each(['garbage', 'wrong-shape'] as const)('are asked for twice more after %s, and then given up', async (kind) => {
    server.behaviour.fault = { kind };
    expect(await failureOf(model().makeFacets(input))).toMatchObject({ code: 'MODEL_MALFORMED' });
    expect(server.calls).toHaveLength(3);
    server.behaviour.fault = undefined;
    server.failNext(1, { kind });
    expect((await model().makeFacets(input)).facets.scope).toBe(expected.scope);
  });

  it('count what malformed replies cost too', async () => {
    const { usage } = await model().makeFacets(input);
    server.failNext(1, { kind: 'wrong-shape' });
    expect((await model().makeFacets(input)).usage.inputTokens).toBe(2 * usage.inputTokens);
  });

  it.each([401, 403, 404])('are not asked for again after a %i', async (status) => {
    server.failNext(1, { kind: 'status', status });
    expect(await failureOf(model().makeFacets(input))).toMatchObject({ code: 'MODEL_REFUSED' });
    expect(server.calls).toHaveLength(1);
  });

  it('never show the key in an error', async () => {
    const wrong = 'sk-wrong-and-secret';
    const error = await failureOf(model({ apiKey: wrong, url: server.url.replace('//', '//me:pass@') }).makeFacets(input));
    expect(error).toMatchObject({ code: 'MODEL_REFUSED', message: expect.stringContaining('the key is wrong') });
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/secret|pass/);
  });

  it('are unreachable where nobody listens', async () => {
    const gone = await startModelServer();
    await gone.close();
    const error = await failureOf(model({ url: gone.url }).makeFacets(input));
    expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', message: expect.stringContaining('ECONNREFUSED') });
  });

  it('are unreachable where the time limit passes, with no second try', async () => {
    server.behaviour.fault = { kind: 'hang' };
    const error = await failureOf(model({ timeoutMs: 50 }).makeFacets(input));
    expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', message: expect.stringContaining('0.05 s') });
    expect(server.calls).toHaveLength(1);
  });

  it('end with the caller, whose neighbours go on', async () => {
    server.behaviour.latencyMs = 300;
    const one = model();
    const caller = new AbortController();
    const left = one.makeFacets({ ...input, text: 'left alone' }, caller.signal);
    const kept = one.makeFacets(input);
    setTimeout(() => caller.abort(new Error('enough')), 20);
    await expect(left).rejects.toThrow('enough');
    expect((await kept).facets.scope).toBe(expected.scope);
    expect(server.calls.map(({ outcome }) => outcome).sort()).toEqual(['answered', 'gone']);
  });

  it('run no more calls at once than allowed', async () => {
    const fresh = await startModelServer({ latencyMs: 10 });
    const one = model({ concurrency: 2, url: fresh.url });
    await Promise.all(Array.from({ length: 6 }, (_, at) => one.makeFacets({ ...input, text: `Paragraph ${at}.` })));
    expect(fresh.peak).toBe(2);
    await fresh.close();
  });
});
