import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  askEvaluation,
  beginEvaluation,
  encodeQuestion,
  type EvaluatedQuestion,
  findEvaluation,
  openEvaluation,
  TenantId,
} from '@postmaster/contracts';
import { modelsAt } from '@postmaster/models';
import {
  FakeCandidateStore,
  FakeRequests,
  type ModelServer,
  pointPayload,
  startModelServer,
} from '@postmaster/testing';
import { answerEvaluations } from './answer-evaluations.js';

const tenant = TenantId.parse('evaluation-1');
const id = 'a'.repeat(24);
const QUESTION = 'Where is the boiler?';
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
beforeEach(() => model.forget());
afterAll(() => model.close());

/** The question looks at 0°, what is made up of it at 80°. */
const evaluation = ({ withModel }: { withModel: boolean }) => {
  const requests = new FakeRequests(async () => ({ tenant, subject: 'test', scopes: ['admin'] }));
  const store = new FakeCandidateStore();
  for (const degrees of [0, 39, 85])
    store.put(tenant, {
      id: `p${degrees}`,
      payload: pointPayload({ text: 'Text.' }),
      vectors: { paragraph: at(degrees) },
    });
  requests.answer(openEvaluation, async () => ({ id, encoder: 'test', encoderHash: 'ab', dimension: 2 }));
  requests.answer(findEvaluation, async () => ({ tenant, indexes: { composite: 'c' }, paragraphs: 3 }));
  requests.answer(encodeQuestion, async (_, { text, also }) => ({
    ...{ index: 'main', encoder: 'test', vector: at(text === QUESTION ? 0 : 80) },
    ...(also && { also: also.map((one) => at(one.includes(QUESTION) ? 80 : 0)) }),
  }));
  const planner = withModel ? modelsAt('openai', { url: `${model.url}/v1`, model: 'stand-in' }).plans : undefined;
  answerEvaluations({ requests, store, planner, languageOf: () => 'en', now: () => performance.now() });
  return {
    begin: () => requests.ask(beginEvaluation, 't', {}),
    ask: async (timed = false): Promise<EvaluatedQuestion> => {
      const questions = [{ id: 'q', text: QUESTION }];
      const asked = { id, questions, ways: ['paragraph' as const, 'hyde' as const], timed };
      for await (const answer of requests.stream(askEvaluation, 't', asked)) return answer;
      throw new Error('No answer came.');
    },
  };
};

it('questions of an evaluation are asked with a token each, for a batch outlives the one that it came with', async () => {
  const tokens: string[] = [];
  let signed = 0;
  const requests = new FakeRequests(async (token) => {
    tokens.push(token);
    return { tenant, subject: 'test', scopes: ['admin'] };
  });
  requests.answer(findEvaluation, async () => ({ tenant, indexes: { composite: 'c' }, paragraphs: 3 }));
  requests.answer(encodeQuestion, async () => ({ index: 'main', encoder: 'test', vector: at(0) }));
  const sign = async () => `fresh ${(signed += 1)}`;
  const ports = { requests, sign, store: new FakeCandidateStore(), languageOf: () => 'en', now: () => 0 };
  answerEvaluations(ports);
  const questions = ['a', 'b', 'c'].map((one) => ({ id: one, text: QUESTION }));
  const asked = { id, questions, ways: ['paragraph' as const], timed: false };
  for await (const _ of requests.stream(askEvaluation, 'first', asked)) continue;
  expect(tokens).toEqual(['first', 'first', 'fresh 1', 'fresh 2', 'fresh 3']);
});

describe('the way hyde', () => {
  it('ranks by the mean of the question and an answer that the model makes up, and counts what that takes', async () => {
    const { begin, ask } = evaluation({ withModel: true });
    expect((await begin()).ways).toContain('hyde');
    const { ways } = await ask();
    expect(ways.paragraph?.ranked).toEqual(['p0', 'p39', 'p85']);
    expect(ways.hyde).toMatchObject({ ranked: ['p39', 'p0', 'p85'], ms: null, unanswered: false });
    expect(ways.hyde?.usage).toMatchObject({ calls: 1, inputTokens: expect.any(Number) });
    expect(ways.hyde!.usage!.outputTokens).toBeGreaterThan(0);
    expect(model.calls.map(({ asked }) => asked)).toMatchObject([{ kind: 'variations', hypothetical: true }]);
    expect((await ask(true)).ways.hyde?.ms).toBeGreaterThan(0);
  });

  it('goes by the question alone where the model answers nonsense, and says so', async () => {
    model.failNext(1, { kind: 'garbage' });
    const { ways } = await evaluation({ withModel: true }).ask();
    expect(ways.hyde).toMatchObject({ ranked: ways.paragraph!.ranked, unanswered: true, usage: { calls: 1 } });
  });

  it('is not there without a model', async () => {
    const { begin, ask } = evaluation({ withModel: false });
    expect((await begin()).ways).not.toContain('hyde');
    expect(Object.keys((await ask()).ways)).toEqual(['paragraph']);
  });
});
