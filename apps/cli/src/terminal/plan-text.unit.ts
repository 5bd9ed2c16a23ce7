import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Plan } from '../client/shapes.js';
import { paintFor } from './colours.js';
import { planText } from './plan-text.js';

const paint = paintFor(new Writable(), {});
const created = { field: 'CREATED', from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' };

it('shows how a request was read, and nothing that the plan does not hold', () => {
  const plan = Plan.parse({
    ...{ query: 'email receipt last October', language: 'en', planning: 'RULES' },
    reading: {
      ...{ kind: 'DOCUMENT', searchText: 'receipt', keywords: [], dates: [], variations: [] },
      entities: [{ text: 'pharmacy', role: 'SENDER' }],
      conditions: [
        { field: 'CONTENT_TYPE', oneOf: ['message/rfc822'], certainty: 0.9, words: 'email' },
        { ...created, certainty: 0.7, words: 'last October' },
        { field: 'METADATA', key: 'paid', equals: true, certainty: 1, words: '' },
      ],
      favour: { context: 2, scope: 1.5, lexical: null },
    },
    cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, texts: 1, tookMs: 0.04 },
  });
  expect(planText(plan, { paint })).toBe(
    [
      'plan document, by rules (0.0 ms)',
      '  text     receipt',
      '  only     content type: message/rfc822 [0.90, “email”]',
      '           created: from 2026-10-01 to before 2026-11-01 [0.70, “last October”]',
      '           paid: true [1.00]',
      '  names    pharmacy (sender)',
      '  favours  context × 2, scope × 1.5',
    ].join('\n'),
  );
});
