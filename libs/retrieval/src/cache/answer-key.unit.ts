import { describe, expect, it } from 'vitest';
import type { SearchOptions, SearchSettings } from '@postmaster/contracts';
import type { AnswerModel } from '../answer-model.js';
import { answerKey } from './answer-key.js';

/** One value of each, other than its default. */
const EVERY_OPTION: Readonly<Record<keyof SearchOptions, unknown>> = {
  fusion: 'rrf',
  weights: { scope: 0 },
  k: 10,
  temperature: 0.5,
  minRelevance: 0.01,
  rerank: 'none',
  planning: 'none',
  plan: { searchText: 'boiler cellar' },
  questions: 1,
  hypothetical: true,
  foldDuplicates: false,
  diversity: 0.5,
  groupBy: 'document',
  perGroup: 2,
  summaries: false,
  fresh: true,
};

const TODAY = new Date('2026-11-21T12:00:00Z');
const model = (id: string, promptVersion?: string): AnswerModel => ({
  id,
  promptVersion,
  write: async function* () {},
});
const keyOf = (request = {}, settings: SearchSettings = {}, writer = model('a', '1'), today = TODAY) =>
  answerKey({ query: 'Where is it?', ...request }, settings, writer, today);

describe('the key of an answer', () => {
  it.each(Object.entries(EVERY_OPTION))('is another where `%s` is', (name, value) => {
    expect(keyOf({ options: { [name]: value } })).not.toBe(keyOf());
  });

  it.each([
    ['question', keyOf({ query: 'Where was it?' })],
    ['number of hits', keyOf({ first: 4 })],
    ['filter', keyOf({ filter: { languages: ['da'] } })],
    ['setting of the tenant', keyOf({}, { minRelevance: 0.2 })],
    ['model', keyOf({}, {}, model('b', '1'))],
    ['prompt', keyOf({}, {}, model('a', '2'))],
    ['day, on which "last month" is another one', keyOf({}, {}, undefined, new Date('2026-11-22T00:00:00Z'))],
  ])('is another for another %s', (_, key) => {
    expect(key).not.toBe(keyOf());
  });

  it('is the same where a question names what its tenant has set', () => {
    expect(keyOf({ options: { fusion: 'rrf' } })).toBe(keyOf({}, { fusion: 'rrf' }));
  });

  it('is none for a question that wants to be answered anew, or will be refused', () => {
    expect([keyOf({ options: { fresh: true } }), keyOf({ query: ' ' })]).toEqual([undefined, undefined]);
  });
});
