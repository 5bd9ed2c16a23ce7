import { describe, expect, it } from 'vitest';
import type { EvaluationWay } from '@postmaster/contracts';
import { type EvaluationServer, measureSet } from './measure-set.js';
import type { EvaluationSet } from './read-set.js';

const QUESTIONS = 130;
const set: EvaluationSet = {
  name: 'set',
  paragraphs: [{ id: 'p', document: 'd', title: 'T', position: 0, text: 'Text.' }],
  queries: Array.from({ length: QUESTIONS }, (_, at) => ({
    id: `q${at}`,
    text: `Question ${at}?`,
    answers: [],
    unanswerable: false,
  })),
  judged: Array.from({ length: QUESTIONS }, () => new Map([['p', 1]])),
  recorded: null,
  hashes: {},
};

/** Answers everything, and keeps how many questions came at once. */
const serverWith = (ways: EvaluationWay[]) => {
  const batches: number[] = [];
  const dropped: string[] = [];
  const weights = { paragraph: 1, simple_questions: 1, complex_questions: 1, context: 1, scope: 1, lexical: 1 };
  const server: EvaluationServer = {
    begin: async () => ({
      ...{ id: 'a'.repeat(24), encoder: 'test', encoderHash: 'ab', dimension: 2 },
      ...{ weights, perLeg: 50, found: 0.25, ways },
    }),
    add: async () => ({ usage: { calls: 0, inputTokens: 0, outputTokens: 0 } }),
    ask: async (_, { questions }) => {
      batches.push(questions.length);
      return questions.map(({ id }) => ({ id, ways: {}, hits: [] }));
    },
    drop: async (id) => dropped.push(id),
  };
  return { server, batches, dropped };
};

describe('measuring a set', () => {
  it.each([
    ['many at once', ['composite', 'bm25'] satisfies EvaluationWay[], 32],
    ['few at once where a language model has to answer each', ['composite', 'hyde'] satisfies EvaluationWay[], 2],
  ])('asks every question once, %s, and drops what it made', async (_, ways, most) => {
    const { server, batches, dropped } = serverWith(ways);
    const { answers } = await measureSet(server)(set, { seed: 1 });
    expect(answers.size).toBe(QUESTIONS);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(QUESTIONS);
    expect(Math.max(...batches)).toBeLessThanOrEqual(most);
    expect(dropped).toEqual(['a'.repeat(24)]);
  });
});
