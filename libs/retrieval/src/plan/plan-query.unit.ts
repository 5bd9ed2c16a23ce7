import { describe, expect, it } from 'vitest';
import {
  CodedError,
  knownMetadata,
  knownValues,
  PLAN_FIELDS,
  type SearchOptions,
  TenantId,
} from '@postmaster/contracts';
import { FakeRequests, PLAN_KNOWN, PLAN_NOW } from '@postmaster/testing';
import { readKnownValues } from './known-values.js';
import type { PlanModel } from './plan-model.js';
import { planQuery } from './plan-query.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');

const setUp = ({ model, modelTimeoutMs }: { model?: PlanModel; modelTimeoutMs?: number } = {}) => {
  const requests = new FakeRequests();
  const asked: string[] = [];
  let time = 0;
  requests.answer(knownValues, async ({ tenant }) => {
    asked.push(tenant);
    return tenant === ours ? PLAN_KNOWN : { ...PLAN_KNOWN, collections: ['Secret'], metadata: {} };
  });
  const plan = planQuery({
    known: readKnownValues(requests, () => time),
    languageOf: () => 'en',
    today: () => PLAN_NOW,
    model,
    modelTimeoutMs,
  });
  return {
    ...{ requests, asked },
    pass: (ms: number) => (time += ms),
    plan: (query: string, options: SearchOptions = {}, tenant = ours) => plan(tenant, tenant, query, options),
  };
};

/** A model that gives this for every form. */
const modelOf = (reply: () => unknown): PlanModel & { forms: string[] } => {
  const forms: string[] = [];
  return {
    ...{ id: 'test:planner', forms },
    fill: async (_prompt, form, signal) => {
      forms.push(form.name);
      const replied = await Promise.race([
        reply(),
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      ]);
      return { reply: form.reply.parse(replied), usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
};
const MAILS = 'mails from Jens Hansen';

describe('planning', () => {
  it('asks what there is only for requests that might come to conditions, and once a minute', async () => {
    const { plan, asked, pass } = setUp();
    await plan('Who discovered radium in 1898?');
    expect(asked).toEqual([]);
    await Promise.all([plan(MAILS), plan(MAILS)]);
    pass(59_000);
    await plan(MAILS);
    expect(asked).toEqual(['ours']);
    pass(2_000);
    await plan(MAILS);
    expect(asked).toEqual(['ours', 'ours']);
  });

  it('knows of a tenant what that tenant has', async () => {
    const { plan } = setUp();
    const words = 'letters in the collection Secret';
    expect((await plan(words)).reading.conditions).toEqual([]);
    expect((await plan(words, {}, theirs)).reading.conditions).toMatchObject([{ oneOf: ['Secret'] }]);
    expect((await plan(MAILS, {}, theirs)).reading.conditions.map(({ field }) => field)).toEqual(['content-type']);
  });

  it.each([
    ['receipt from the Svane pharmacy', ['receipt', 'Svane pharmacy & perfume']],
    ['kvitteringen fra apoteket', ['receipt', 'Svane Apotek']],
  ])('knows what was extracted from documents: "%s"', async (words, values) => {
    const { plan, requests } = setUp();
    const vendor = ['Svane Apotek', 'Svane pharmacy & perfume'];
    requests.answer(knownValues, () =>
      Promise.resolve({ ...PLAN_KNOWN, metadata: { from: ['Svane Apotek <a@b.example>'] } }),
    );
    requests.answer(knownMetadata, () =>
      Promise.resolve({ metadata: { type: ['receipt', 'invoice'], vendor }, dated: null }),
    );
    const { conditions } = (await plan(words)).reading;
    expect(conditions.map((one) => one.field === 'metadata' && [one.key, one.equals])).toEqual([
      ['type', values[0]],
      ['vendor', values[1]],
    ]);
  });

  it('reaches back to the days that documents bear', async () => {
    const { plan } = setUp();
    const dated = { from: '2001-01-01T00:00:00.000Z', to: '2001-12-31T00:00:00.000Z' };
    expect((await plan('PDF from 2001')).reading.conditions.map(({ field }) => field)).toEqual(['content-type']);
    const later = setUp();
    later.requests.answer(knownMetadata, () => Promise.resolve({ metadata: {}, dated }));
    expect((await later.plan('PDF from 2001')).reading.conditions.map(({ field }) => field)).toContain('created');
  });

  it('leaves a request as it is where nobody is to read it', async () => {
    const { plan, asked } = setUp();
    const { planning, reading } = await plan(MAILS, { planning: 'none' });
    expect([planning, reading.searchText, reading.conditions, asked]).toEqual(['none', MAILS, [], []]);
  });

  it('goes without conditions, and says so, where ingestion does not say what there is', async () => {
    const { plan, requests } = setUp();
    requests.answer(knownValues, () => Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'Ingestion is down.')));
    const { reading, notices } = await plan(MAILS);
    expect(reading).toMatchObject({ searchText: MAILS, conditions: [] });
    expect(notices).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('without conditions') },
    ]);
  });
});

describe('a plan that was sent back', () => {
  it('is only checked', async () => {
    const { plan, asked } = setUp({ model: modelOf(() => ({})) });
    const given = { searchText: 'boiler', conditions: [{ field: 'created', from: '2024-05-01', certainty: 0.2 }] };
    const { planning, reading, cost } = await plan(MAILS, { plan: given, planning: 'model', questions: 3 });
    expect(planning).toBe('given');
    expect(reading).toMatchObject({
      searchText: 'boiler',
      conditions: [{ field: 'created', from: '2024-05-01T00:00:00.000Z', words: '' }],
      variations: [],
    });
    expect([cost.modelCalls, asked]).toEqual([0, []]);
  });

  it.each([
    ['an unknown field', { conditions: [{ field: 'author', equals: 'x' }] }, 'FILTER_INVALID'],
    ['an operator of another field', { conditions: [{ field: 'language', equals: 'da' }] }, 'FILTER_INVALID'],
    ['a value of the wrong type', { conditions: [{ field: 'collection', oneOf: 'a' }] }, 'FILTER_INVALID'],
    ['a date that is none', { conditions: [{ field: 'created', from: '2023-02-30' }] }, 'FILTER_INVALID'],
    ['a date without an end', { conditions: [{ field: 'added' }] }, 'FILTER_INVALID'],
    ['nine conditions', { conditions: Array(9).fill({ field: 'language', oneOf: ['da'] }) }, 'FILTER_INVALID'],
    ['nothing to search for', { searchText: ' ' }, 'INPUT_INVALID'],
    ['an unknown part', { colour: 'red' }, 'INPUT_INVALID'],
  ])('is refused with %s', async (_, wrong, code) => {
    const refused = setUp().plan('a', { plan: { searchText: 'a', ...wrong } });
    await expect(refused).rejects.toMatchObject({ code, field: expect.stringMatching(/^options\.plan/) });
    if (code === 'FILTER_INVALID')
      for (const field of [...PLAN_FIELDS, 'list of texts', 'ISO 8601']) await expect(refused).rejects.toThrow(field);
  });
});

describe('planning by a model', () => {
  it.each([
    ['is not configured', undefined, 'MODEL_NEEDED'],
    ['is late', modelOf(() => new Promise(() => undefined)), 'MODEL_UNREACHABLE'],
    [
      'fails with a code',
      modelOf(() => Promise.reject(new CodedError('MODEL_MALFORMED', 'Nonsense.'))),
      'MODEL_MALFORMED',
    ],
    ['fails otherwise', modelOf(() => ({ kind: 'poem' })), 'INTERNAL'],
  ])('leaves the plan to the rules, and says so, where the model %s', async (_, model, code) => {
    const { plan } = setUp({ model, modelTimeoutMs: 20 });
    const { planning, reading, notices } = await plan(MAILS, { planning: 'model' });
    expect(planning).toBe('rules');
    expect(reading.conditions).toHaveLength(2);
    expect(notices).toMatchObject([{ code, message: expect.stringContaining('Rules planned the search.') }]);
  });
});

describe('variations', () => {
  it('come from one call of the model, with their cost', async () => {
    const model = modelOf(() => ({ questions: ['Who found it?', 'When?', 'Where?'], answer: 'Curie found it.' }));
    const { reading, cost, notices } = await setUp({ model }).plan('Curie found radium.', {
      questions: 2,
      hypothetical: true,
    });
    expect(reading.variations).toEqual([
      { kind: 'question', text: 'Who found it?' },
      { kind: 'question', text: 'When?' },
      { kind: 'answer', text: 'Curie found it.' },
    ]);
    expect(cost).toMatchObject({ modelCalls: 1, inputTokens: 10, outputTokens: 5, texts: 4 });
    expect([model.forms, notices]).toEqual([['query_variations'], []]);
  });

  it.each([
    ['Radium was discovered in 1898 by Curie', ['By whom was Radium discovered?', 'What was discovered by Curie?']],
    ['Radium blev opdaget i 1898 af Curie.', ['Hvem blev Radium opdaget af?', 'Hvad blev opdaget af Curie?']],
    ['Fristen for at klage er to uger.', ['Hvad er Fristen for at klage?']],
    ['The notice period is three months', ['What is The notice period?']],
  ])('of "%s" are made by the forms of sentences where there is no model', async (statement, expected) => {
    const { reading, cost, notices } = await setUp().plan(statement, { questions: 2 });
    expect(reading.variations.map(({ text }) => text)).toEqual(expected);
    expect([cost.modelCalls, cost.texts, notices]).toEqual([0, 1 + expected.length, []]);
  });

  it('that take a model are left out, with a notice each', async () => {
    const { reading, notices } = await setUp().plan('Who found radium?', { questions: 1, hypothetical: true });
    expect(reading.variations).toEqual([]);
    expect(notices.map(({ code }) => code)).toEqual(['MODEL_NEEDED', 'MODEL_NEEDED']);
  });
});
