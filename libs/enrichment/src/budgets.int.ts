import { afterAll, beforeEach, expect, describe, it } from 'vitest';
import {
  CodedError,
  documentTexts,
  enrichmentPause,
  newId,
  type Spending,
  spending,
  tenantBudgets,
  TenantId,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import {
  deliver,
  eventOf,
  FakeFacetModel,
  FakeRequests,
  hurry,
  jobsOf,
  parsed,
  told,
  until,
  untilSettled,
} from '@postmaster/testing';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, enrichmentService, type EnrichmentTables } from './index.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
const rows = db as Database<unknown>;
afterAll(() => memory.close());

const USED = new CodedError('BUDGET_USED', 'The budget of 100 tokens is used up.').toFailure();
const FREE: Spending = { used: null, tokensLeft: null };
const ours = TenantId.parse('ours');

describe('what is paid for', () => {
  let model: FakeFacetModel;
  let requests: FakeRequests;
  let spend: Map<TenantId, Spending>;
  const serviceOf = () => {
    requests = new FakeRequests();
    requests.answer(documentTexts, () => Promise.resolve({ documents: [] })); // this is about facets
    requests.answer(spending, async ({ tenant }) => spend.get(tenant) ?? FREE);
    return enrichmentService({
      ...{ db, model, requests, seal: { sign: async ({ tenant }: { tenant: TenantId }) => tenant } },
      languageOf: () => null,
      onError: (error) => expect(error).toBeUndefined(),
    });
  };
  beforeEach(() => {
    model = new FakeFacetModel();
    spend = new Map();
  });

  it('is told once for each reply, with the reply, and not for what was there already', async () => {
    const tenant = TenantId.parse(`t-${newId().slice(-12)}`);
    const service = serviceOf();
    await deliver(service.consumers, eventOf(tenant, 'paragraphs.parsed', parsed('d1', 1, ['Same.'])));
    await deliver(service.consumers, eventOf(tenant, 'paragraphs.parsed', parsed('d2', 1, ['Same.'])));
    service.start();
    await untilSettled(rows, tenant);
    await service.stop();
    const costs = await told(rows, tenant, 'model.called');
    expect(costs).toHaveLength(1);
    expect(costs[0]).toMatchObject({
      task: 'facets',
      model: 'fake:facets',
      calls: 1,
      inputTokens: 10,
      outputTokens: 5,
    });
    expect(model.calls).toHaveLength(1);
  });

  it('stops where the budget is used up, with nothing half made and no attempt spent; others go on; and goes on when it is raised', async () => {
    const [poor, rich] = [TenantId.parse(`p-${newId().slice(-12)}`), TenantId.parse(`r-${newId().slice(-12)}`)];
    spend.set(poor, { used: USED, tokensLeft: 0 });
    const service = serviceOf();
    const texts = Array.from({ length: 9 }, (_, at) => `Number ${at}.`);
    await deliver(service.consumers, eventOf(poor, 'paragraphs.parsed', parsed('d', 1, texts)));
    await deliver(service.consumers, eventOf(rich, 'paragraphs.parsed', parsed('d', 1, ['Rich.'])));
    service.start();
    await untilSettled(rows, rich);
    await until(async () => (await jobsOf(rows, poor)).every(({ state }) => state === 'ready'));
    expect(model.calls.map(({ text }) => text)).toEqual(['Rich.']);
    expect(await jobsOf(rows, poor)).toHaveLength(9);
    expect((await jobsOf(rows, poor)).every(({ attempts }) => attempts === 0)).toBe(true);
    expect(await db.asTenant(poor, (tx) => tx.selectFrom('replies').selectAll().execute())).toEqual([]);
    expect(await requests.ask(enrichmentPause, poor, {})).toEqual({ paused: USED });
    expect(await requests.ask(enrichmentPause, rich, {})).toEqual({ paused: null });

    await service.stop();
    spend.delete(poor);
    const again = serviceOf();
    again.start();
    await hurry(rows);
    await untilSettled(rows, poor);
    await again.stop();
    expect(model.calls).toHaveLength(10);
  });
});

describe('budgets as a process sees them', () => {
  it('are asked for once in two seconds, and anew when what came since has used them up', async () => {
    let time = 0;
    const answers: Spending[] = [{ used: null, tokensLeft: 30 }];
    let asked = 0;
    const budgets = tenantBudgets(
      async () => answers[asked++] ?? { used: USED, tokensLeft: 0 },
      () => time,
    );
    expect([await budgets.used(ours), await budgets.used(ours), asked]).toEqual([null, null, 1]);
    budgets.spent(ours, { inputTokens: 20, outputTokens: 10 });
    expect([await budgets.used(ours), asked]).toEqual([USED, 2]);
    answers[2] = FREE;
    time = 2_001;
    expect([await budgets.used(ours), asked]).toEqual([null, 3]);
  });

  it('are asked for before they are old, so that work that goes on waits for no answer', async () => {
    let time = 0;
    let asked = 0;
    const slow = new Promise<Spending>(() => {});
    const answers: Promise<Spending>[] = [Promise.resolve({ used: null, tokensLeft: 100 }), slow];
    const budgets = tenantBudgets(
      () => answers[asked++] ?? Promise.resolve(FREE),
      () => time,
    );
    await budgets.used(ours);
    time = 1_600;
    expect([await budgets.used(ours), await budgets.used(ours), asked]).toEqual([null, null, 2]);
  });

  it('count what is spent while the next answer is under way', async () => {
    let time = 0;
    let asked = 0;
    const budgets = tenantBudgets(
      async () => (asked++ < 2 ? { used: null, tokensLeft: 30 } : { used: USED, tokensLeft: 0 }),
      () => time,
    );
    await budgets.used(ours);
    time = 1_600;
    await budgets.used(ours);
    budgets.spent(ours, { inputTokens: 20, outputTokens: 10 });
    time = 2_100;
    expect([await budgets.used(ours), asked]).toEqual([USED, 3]);
  });

  it('stop nobody while they can not be asked for, and hold as they were known last', async () => {
    let time = 0;
    let up = false;
    const budgets = tenantBudgets(
      async () => {
        if (!up) throw new CodedError('SERVICE_UNAVAILABLE', 'tenants is down');
        return { used: USED, tokensLeft: 0 };
      },
      () => time,
    );
    expect(await budgets.used(ours)).toBeNull();
    [up, time] = [true, 3_000];
    expect(await budgets.used(ours)).toBe(USED);
    [up, time] = [false, 6_000];
    expect(await budgets.used(ours)).toBe(USED);
  });
});
