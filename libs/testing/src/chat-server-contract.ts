import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import type { FacetInput, FacetModel } from '@postmaster/enrichment';
import type { AnswerModel } from '@postmaster/retrieval';
import { type ModelFault, type ModelServer, startModelServer } from './model-server.js';
import { standInFacets } from './model-server/stand-in-replies.js';
import type { Way } from './model-server/wire-format.js';

/** Where and how a model is asked; what is not given is as it is outside of tests. */
export interface ChatPlace {
  url: string;
  model: string;
  apiKey?: string;
  timeoutMs?: number;
  concurrency?: number;
  windowTokens?: number;
  again: { attempts: number; malformed: number; initialDelayMs: number };
  fetch?: typeof fetch;
}

export interface ChatServerUnderTest {
  /** As in the ids of its models. */
  provider: string;
  /** Behind the stand-in's address. */
  path?: string;
  facets: (place: ChatPlace) => FacetModel;
  answers: (place: ChatPlace) => AnswerModel;
  /** In which it may be held to a form, best first. */
  ways: readonly Way[];
  /** Its words for a prompt that is too long, and the status they come with. */
  tooLong: { status: number; message: string };
  /** Its protocol has a word for a model that would not. */
  declines: boolean;
}

const KEY = 'sk-very-secret';
const again = { attempts: 2, malformed: 2, initialDelayMs: 1 };
const input: FacetInput = {
  title: 'Handbook',
  trail: ['Leave'],
  before: 'Before it stands something else.',
  text: 'Parents have twenty-four weeks of leave with full pay.',
  after: 'After it stands something else.',
  language: 'en',
};
const expected = standInFacets({ title: 'Handbook', headings: ['Leave'], paragraph: input.text });
const sources = [{ title: 'T', trail: [], paragraphs: [{ marker: 1, text: 'It opens at nine. Then more.' }] }];

/** What every language model does, whichever protocol it is reached by: against a stand-in that speaks it. */
export const describeChatServer = (name: string, under: ChatServerUnderTest): void => {
  describe(`${name} as a language model`, () => {
    let server: ModelServer;
    beforeAll(async () => {
      server = await startModelServer({ apiKey: KEY });
    });
    beforeEach(() => {
      Object.assign(server.behaviour, { latencyMs: 0, fault: undefined, refused: [], cachedTokens: 0 });
      server.forget();
    });
    afterAll(() => server.close());

    const place = (told: Partial<ChatPlace> = {}): ChatPlace => {
      const url = server.url + (under.path ?? '');
      return { url, model: 'stand-in', apiKey: KEY, again, ...told };
    };
    const model = (told?: Partial<ChatPlace>): FacetModel => under.facets(place(told));
    const failing = (told?: Partial<ChatPlace>, of: FacetInput = input) => failureOf(model(told).makeFacets(of));
    const answer = async (told?: Partial<ChatPlace>): Promise<string[]> => {
      const said: string[] = [];
      for await (const piece of under.answers(place(told)).write('When?', sources, 'en')) said.push(piece);
      return said;
    };

    it('makes facets by one call, and tells its tokens and those that its cache held', async () => {
      server.behaviour.cachedTokens = 7;
      const { facets, usage } = await model().makeFacets(input);
      expect(facets).toMatchObject({
        simpleQuestions: expected.simple_questions.map((text) => ({ text })),
        complexQuestions: expected.complex_questions.map((text) => ({ text })),
        context: expected.context,
        scope: expected.scope,
        model: `${under.provider}:stand-in`,
      });
      const [call] = server.calls;
      expect(usage).toMatchObject({ inputTokens: Math.ceil(call!.prompt.length / 4), calls: 1 });
      expect(usage.outputTokens).toBeGreaterThan(0);
      expect(usage.cachedTokens).toBe(under.path ? 0 : CACHES.has(under.provider) ? 7 : 0);
      expect(server.calls.map(({ way }) => way)).toEqual([under.ways[0]]);
    });

    it('is told what to do apart from the document, in the same words for each', async () => {
      await model().makeFacets(input);
      await model().makeFacets({ ...input, text: 'Grandparents have none.' });
      const [one, other] = server.calls;
      expect(one!.system).not.toContain('twenty-four');
      expect(other!.system).toBe(one!.system);
    });

    it.each(under.ways.map((way, at) => [way, at] as const))('is held to the form by %s', async (way, at) => {
      server.behaviour.refused = under.ways.slice(0, at);
      const named = { model: `knows-${way}` };
      expect((await model(named).makeFacets(input)).facets.scope).toBe(expected.scope);
      await model(named).makeFacets(input); // the ways that it refused are not tried again
      expect(server.calls.map((call) => call.way)).toEqual([...under.ways.slice(0, at + 1), way]);
    });

    it('is refused where no way of asking is taken, and the best way is tried first the next time', async () => {
      server.behaviour.refused = under.ways;
      const named = { model: 'knows-none' };
      expect(await failing(named)).toMatchObject({ code: 'MODEL_REFUSED' });
      server.behaviour.refused = [];
      await model(named).makeFacets(input);
      expect(server.calls.at(-1)?.way).toBe(under.ways[0]);
    });

    it.each(['no-end', 'fenced', 'prosed', 'many-questions'] as const)(
      'is understood though its JSON is %s',
      async (kind) => {
        server.behaviour.fault = { kind };
        const { facets } = await model().makeFacets(input);
        expect(facets.scope).toBe(expected.scope);
        expect(facets.simpleQuestions.length).toBeLessThanOrEqual(12);
        expect(server.calls).toHaveLength(1);
      },
    );

    it.each<[ModelFault['kind'], ModelFault]>([
      ['prose', { kind: 'garbage' }],
      ["someone else's schema", { kind: 'wrong-shape' }],
      ['half a JSON', { kind: 'half-json' }],
      ['empty lists', { kind: 'empty-lists' }],
      ['what its token limit broke off', { kind: 'token-limit' }],
    ] as never)('is asked twice more after %s, then given up', async (_what, fault) => {
      server.behaviour.fault = fault;
      expect(await failing()).toMatchObject({ code: 'MODEL_MALFORMED' });
      expect(server.calls).toHaveLength(3);
      server.behaviour.fault = undefined;
      server.failNext(1, fault);
      expect((await model().makeFacets(input)).facets.scope).toBe(expected.scope);
    });

    it('tells the tokens of malformed replies too', async () => {
      const { usage } = await model().makeFacets(input);
      server.failNext(1, { kind: 'wrong-shape' });
      expect((await model().makeFacets(input)).usage.inputTokens).toBe(2 * usage.inputTokens);
    });

    it.each([429, 500, 503, 529])(
      'is asked again after a %i, and given up as unreachable in the end',
      async (status) => {
        server.failNext(2, { kind: 'status', status });
        await model().makeFacets(input);
        expect(server.calls).toHaveLength(3);
        server.forget();
        server.behaviour.fault = { kind: 'status', status };
        expect(await failing()).toMatchObject({ code: 'MODEL_UNREACHABLE' });
        expect(server.calls).toHaveLength(3);
      },
    );

    it('is left alone for as long as it asks for; a long wait is left to the caller', async () => {
      server.failNext(1, { kind: 'status', status: 429, retryAfterSeconds: 0.05 });
      await model().makeFacets(input);
      server.forget();
      server.failNext(1, { kind: 'status', status: 429, retryAfterSeconds: 3600 });
      expect(await failing()).toMatchObject({ code: 'MODEL_UNREACHABLE', retryAfter: 3600 });
      expect(server.calls).toHaveLength(1);
    });

    it('is asked again after a broken connection', async () => {
      server.failNext(1, { kind: 'cut' });
      await model().makeFacets(input);
      expect(server.paragraphs).toEqual([input.text]);
    });

    it.each([401, 403, 404])('is asked once where it refuses with %i', async (status) => {
      server.failNext(1, { kind: 'status', status });
      expect(await failing()).toMatchObject({ code: 'MODEL_REFUSED' });
      expect(server.calls).toHaveLength(1);
    });

    (under.declines ? it : it.skip)('is asked once where it will not write about a text', async () => {
      server.behaviour.fault = { kind: 'declined' };
      expect(await failing()).toMatchObject({ code: 'MODEL_DECLINED' });
      expect(server.calls).toHaveLength(1);
    });

    it('is asked once where it says that a text is too long', async () => {
      server.behaviour.fault = { kind: 'status', ...under.tooLong };
      expect(await failing()).toMatchObject({ code: 'MODEL_TEXT_TOO_LONG' });
      expect(server.calls).toHaveLength(1);
    });

    it('is not asked for what its window does not hold; what stands around a paragraph is left out first', async () => {
      const around = { ...input, before: 'Before it. '.repeat(400), after: 'After it. '.repeat(400) };
      await model({ windowTokens: 4_000 }).makeFacets(around);
      expect(server.calls.map(({ asked }) => asked)).toEqual([expect.objectContaining({ paragraph: input.text })]);
      expect(server.calls[0]!.prompt.length).toBeLessThan(1_000);
      const long = { ...around, text: 'A paragraph without end. '.repeat(1_000) };
      expect(await failing({ windowTokens: 4_000 }, long)).toMatchObject({ code: 'MODEL_TEXT_TOO_LONG' });
      expect(server.calls).toHaveLength(1);
    });

    it('never has its key in an error, though the server repeats it', async () => {
      const wrong = 'sk-wrong-and-secret';
      const error = await failing({ apiKey: wrong, url: place().url.replace('//', '//me:pass@') });
      expect(error).toMatchObject({ code: 'MODEL_REFUSED', message: expect.stringContaining('the key is wrong') });
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/secret|pass/);
    });

    it('is unreachable where nobody listens', async () => {
      const url = `http://127.0.0.1:1${under.path ?? ''}`;
      const message = expect.stringContaining('ECONNREFUSED');
      expect(await failing({ url })).toMatchObject({ code: 'MODEL_UNREACHABLE', message });
    });

    it('is unreachable where its time limit passes, with no second try', async () => {
      server.behaviour.fault = { kind: 'hang' };
      const message = expect.stringContaining('0.2 s');
      expect(await failing({ timeoutMs: 200 })).toMatchObject({ code: 'MODEL_UNREACHABLE', message });
      expect(server.calls).toHaveLength(1);
    });

    it('is asked by the fetch that it is given, and by no other', async () => {
      const fetch = () => Promise.reject(new Error('no way out'));
      expect(await failing({ fetch })).toMatchObject({ code: 'MODEL_UNREACHABLE' });
      await expect(answer({ fetch })).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
      expect(server.calls).toHaveLength(0);
    });

    it('ends a call with its caller, whose neighbours go on, no more at once than allowed', async () => {
      const fresh = await startModelServer({ latencyMs: 100 }); // of which nothing has been learnt
      const one = model({ url: fresh.url + (under.path ?? ''), concurrency: 2 });
      const caller = new AbortController();
      const left = one.makeFacets({ ...input, text: 'left alone' }, caller.signal);
      const kept = [1, 2, 3].map((at) => one.makeFacets({ ...input, text: `Paragraph ${at}.` }));
      setTimeout(() => caller.abort(new Error('enough')), 50);
      await expect(left).rejects.toThrow('enough');
      await Promise.all(kept);
      expect(fresh.paragraphs).not.toContain('left alone');
      expect(fresh.peak).toBe(2);
      await fresh.close();
    });

    it('answers in pieces; what it began to say is not said twice', async () => {
      server.failNext(1, { kind: 'status', status: 503 });
      expect((await answer()).join('')).toBe('It opens at nine. [1]');
      expect((await answer()).length).toBeGreaterThan(1);
      server.forget();
      server.behaviour.answer = 'It opens at nine in the morning. '.repeat(50);
      server.behaviour.fault = { kind: 'cut' };
      await expect(answer()).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
      expect(server.calls).toHaveLength(1);
      server.behaviour.answer = undefined;
    });
  });
};

/** Whose replies tell what was read from a cache. */
const CACHES = new Set(['openai', 'anthropic', 'google']);

const failureOf = async (work: Promise<unknown>): Promise<CodedError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CodedError)) throw new Error(`expected a CodedError, got ${String(error)}`);
  return error;
};
