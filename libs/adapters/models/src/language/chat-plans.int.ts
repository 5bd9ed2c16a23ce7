import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { planQuery } from '@postmaster/retrieval';
import { type ModelServer, PLAN_KNOWN, PLAN_NOW, PLAN_REQUESTS, type PlanRequest, startModelServer } from '@postmaster/testing';
import { type ChatSettings, modelsAt } from './models-from-config.js';

const tenant = TenantId.parse('ours');
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { latencyMs: 0, fault: undefined, plan: undefined, refused: [] });
  server.forget();
});
afterAll(() => server.close());

/** What a model would reply that reads as is expected, and makes up one condition more. */
const replyFor = ({ request, kind, text, conditions = [], sender }: PlanRequest) => ({
  kind,
  search_text: text ?? request,
  keywords: ['synonym'],
  sender: sender ?? null,
  conditions: [
    ...conditions.map(([field, value, words]) => {
      const dated = field === 'created' || field === 'added';
      const metadata = field in PLAN_KNOWN.metadata;
      const [from, to] = dated ? value.split('/') : [];
      return {
        field: metadata ? 'metadata' : field,
        values: dated ? [] : value.split('|'),
        ...{ key: metadata ? field : null, from: from || null, to: to || null, words },
      };
    }),
    { field: 'collection', values: ['Made up'], key: null, from: null, to: null, words: request.split(' ')[0] },
    { field: 'language', values: ['da'], key: null, from: null, to: null, words: 'not in the request' },
    { field: 'created', values: [], key: null, from: '1998-01-01', to: '1999-01-01', words: request.split(' ')[0] },
  ],
});

describe.each([
  ['openai', (settings: ChatSettings) => modelsAt('openai', settings).plans],
  ['ollama', (settings: ChatSettings) => modelsAt('ollama', settings).plans],
])('plans from a %s server', (_, connect) => {
  const planWith = (settings: Partial<ChatSettings> = {}) =>
    planQuery({
      model: connect({ url: server.url, model: 'stand-in', ...settings }),
      known: async () => PLAN_KNOWN,
      languageOf: () => null,
      today: () => PLAN_NOW,
      modelTimeoutMs: 60_000,
    });
  const read = (request: string, plan = planWith()) => plan(tenant, 't', request, { planning: 'model' });

  it('read fifty requests as is expected of each, and nothing that is not there', async () => {
    const rows = new Map(PLAN_REQUESTS.map((row) => [row.request, row]));
    server.behaviour.plan = (request) => replyFor(rows.get(request)!);
    const plan = planWith();
    for (const row of PLAN_REQUESTS) {
      const { planning, reading, notices, cost } = await read(row.request, plan);
      expect([planning, notices, cost.modelCalls]).toEqual(['model', [], 1]);
      const expected = row.conditions ?? [];
      expect([row.request, reading.kind, reading.conditions.map(({ words }) => words)]).toEqual([
        ...[row.request, row.kind],
        expected.map(([, , words]) => words),
      ]);
      expect(reading.searchText).toMatch(expected.length === 0 ? row.request : (row.text ?? row.request));
    }
    const { reading } = await read('invoices from Acme between March and May 2024', plan);
    expect(reading.conditions).toMatchObject([
      { field: 'metadata', key: 'type', equals: 'faktura' },
      { field: 'metadata', key: 'from', equals: 'Acme Ltd' },
      { field: 'created', from: '2024-03-01T00:00:00.000Z', to: '2024-06-01T00:00:00.000Z' },
    ]);
  });

  it('are never made for the year of a question, whatever the model says', async () => {
    const created = { field: 'created', values: [], key: null, from: '2018-01-01', to: '2019-01-01', words: 'in 2018' };
    server.behaviour.plan = () => ({ ...replyFor(PLAN_REQUESTS[0]!), kind: 'fact', conditions: [created] });
    const { reading } = await read('Who won the cup in 2018?');
    expect(reading).toMatchObject({ conditions: [], searchText: 'Who won the cup in 2018?', keywords: ['synonym'] });
  });

  it('see the request, the date and the names of what there is, and no value of any document', async () => {
    await read('mails from Jens Hansen');
    expect(server.calls[0]?.asked).toEqual({ kind: 'plan', request: 'mails from Jens Hansen', today: '2026-11-21' });
    expect(server.calls[0]?.prompt).toContain('"metadata_keys":["from","type","case","paid"]');
    expect(server.calls[0]?.prompt).not.toContain('Apoteket');
  });

  it.each([
    ['garbage', { kind: 'garbage' }, 'MODEL_MALFORMED'],
    ['another form', { kind: 'wrong-shape' }, 'MODEL_MALFORMED'],
    ['half a reply', { kind: 'cut' }, expect.stringMatching(/^MODEL_/)],
    ['an outage', { kind: 'status', status: 503 }, 'MODEL_UNREACHABLE'],
    ['silence', { kind: 'hang' }, 'MODEL_UNREACHABLE'],
  ] as const)('leave it to the rules after %s, asked once', async (_what, fault, code) => {
    server.behaviour.fault = fault;
    const { planning, reading, notices } = await read('mails from Jens Hansen', planWith(fault.kind === 'hang' ? { timeoutMs: 400 } : {}));
    expect(planning).toBe('rules');
    expect(reading.conditions.map(({ field }) => field)).toEqual(['content-type', 'metadata']);
    expect(notices).toMatchObject([{ code }]);
    expect(server.calls).toHaveLength(1);
  });

  it('ask in another way where a server refuses the schema', async () => {
    server.behaviour.refused = ['json_schema'];
    expect((await read('mails from Jens Hansen')).planning).toBe('model');
  });

  it('write the variations that are asked for', async () => {
    const { reading, cost } = await planWith()(tenant, 't', 'Radium glows', { questions: 2, hypothetical: true });
    expect(reading.variations.map(({ kind }) => kind)).toEqual(['question', 'question', 'answer']);
    expect(cost).toMatchObject({ modelCalls: 1, texts: 4 });
    expect(cost.inputTokens).toBeGreaterThan(0);
  });
});
