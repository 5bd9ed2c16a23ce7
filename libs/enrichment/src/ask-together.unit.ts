import { beforeEach, describe, expect, it } from 'vitest';
import { CodedError, type Lane } from '@postmaster/contracts';
import { FakeFacetModel } from '@postmaster/testing';
import { type AskFacets, askTogether } from './ask-together.js';
import type { FacetInput, FacetReply } from './facet-model.js';

const input = (text: string, more: Partial<FacetInput> = {}): FacetInput => ({
  ...{ title: 'Harbour', trail: [], before: '', text, after: '', language: 'en' },
  ...more,
});
const { signal } = new AbortController();

let model: FakeFacetModel;
let ask: AskFacets;
const of = (document: string, text: string, more?: Partial<FacetInput>, lane: Lane = 'bulk') =>
  ask(document, input(text, more), signal, lane);
const contexts = (replies: readonly FacetReply[]) => replies.map(({ facets }) => facets.context);
const sum = (replies: readonly FacetReply[], what: 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'calls') =>
  replies.reduce((all, { usage }) => all + (usage[what] ?? NaN), 0);

beforeEach(() => {
  model = new FakeFacetModel();
  model.paragraphsPerCall = 3;
  ask = askTogether(model);
});

describe('paragraphs of one document', () => {
  it('are asked about together, as many as a call takes, each with its own facets', async () => {
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => of('one', text)));
    expect(contexts(replies)).toEqual(['a', 'b', 'c', 'd', 'e'].map((text) => `Context of ${text}`));
    expect(model.together).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
    expect(model.calls).toEqual([]);
  });

  it('have shares that come to what the call took', async () => {
    const replies = await Promise.all(['a', 'b', 'c'].map((text) => of('one', text)));
    const whole = ['inputTokens', 'outputTokens', 'cachedTokens', 'calls'] as const;
    expect(whole.map((what) => sum(replies, what))).toEqual([10, 5, 1, 2]);
  });

  it('that came in no form are asked about again, alone, and what was taken for them is not lost', async () => {
    model.leftOut.add('b');
    const replies = await Promise.all(['a', 'b', 'c'].map((text) => of('one', text)));
    expect(contexts(replies)).toEqual(['a', 'b', 'c'].map((text) => `Context of ${text}`));
    expect(model.calls.map(({ text }) => text)).toEqual(['b']);
    expect([sum(replies, 'inputTokens'), sum(replies, 'calls')]).toEqual([20, 3]);
  });

  it('are asked about one by one where a call about all came to nothing', async () => {
    model.makeFacetsOf = () => Promise.reject(new CodedError('MODEL_MALFORMED', 'Prose.'));
    expect(contexts(await Promise.all(['a', 'b'].map((text) => of('one', text))))).toEqual([
      'Context of a',
      'Context of b',
    ]);
  });

  it('share the failure of a model that is out', async () => {
    model.failure = new CodedError('MODEL_UNREACHABLE', 'Down.');
    const asked = await Promise.allSettled(['a', 'b'].map((text) => of('one', text)));
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(model.calls).toEqual([]);
  });
});

it('another document, language or lane, and a paragraph that is asked about once more, share no call', async () => {
  await Promise.all([
    of('one', 'a'),
    of('two', 'b'),
    of('one', 'c', { language: 'da' }),
    of('one', 'd', {}, 'interactive'),
    of('one', 'e', { rejected: [] }),
  ]);
  expect(model.together).toEqual([]);
  expect(model.calls).toHaveLength(5);
});

it('one paragraph a call is the default', async () => {
  model.paragraphsPerCall = 1;
  ask = askTogether(model);
  await Promise.all(['a', 'b'].map((text) => of('one', text)));
  expect([model.together, model.calls.length]).toEqual([[], 2]);
});
