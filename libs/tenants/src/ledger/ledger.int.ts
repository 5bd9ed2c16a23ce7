import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moneyOf, type Prices, priceOf, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { eventOf } from '@postmaster/testing';
import { addTenant } from '../rows/tenants.js';
import type { TenantsTables } from '../rows/tables.js';
import { limitTenant, newTenant, updateTenant } from '../tenants.js';
import { TENANTS_SCHEMA, tenantsMigrations } from '../index.js';
import { keepCosts } from './keep-costs.js';
import { showPrice } from './show-price.js';
import { showUsage, spendingOf } from './show-usage.js';

const prices: Prices = {
  currency: 'EUR',
  models: { 'openai:*': { input: 1, output: 2 }, 'openai:gpt-4o*': { input: 10, output: 20, cached: 1 } },
};
const memory = await openMemoryDatabase([{ schema: TENANTS_SCHEMA, migrations: tenantsMigrations }]);
const db: Database<TenantsTables> = databaseOf<TenantsTables>(memory.kysely, TENANTS_SCHEMA);
const tenant = TenantId.parse('ours');
const other = TenantId.parse('theirs');
const consumer = keepCosts(db, prices);
let today = '2026-11-21T10:00:00Z';
const ports = { db, prices, now: () => new Date(today) };

const paid = (document: string, model: string, of = tenant, time = today) => ({
  ...eventOf(of, 'model.called', {
    ...{ document, version: 1, task: 'facets', model, calls: 1 },
    ...{ inputTokens: 1_000, outputTokens: 100, cachedTokens: 400 },
  }),
  time,
});

beforeAll(async () => {
  for (const id of [tenant, other]) await db.asTenant(id, (tx) => addTenant(tx, newTenant(id, id, new Date())));
});
afterAll(() => memory.close());

describe('a tenant’s ledger', () => {
  it('has each reply once, however often it is told, by month, document, task and model', async () => {
    const first = paid('d1', 'openai:gpt-4o-mini');
    for (const event of [first, first, paid('d1', 'openai:gpt-4o-mini'), paid('d2', 'ollama:llama'), first])
      await consumer.handle(event);
    await consumer.handle(paid('d1', 'openai:gpt-4o-mini', tenant, '2026-10-31T23:59:00Z'));
    await consumer.handle(paid('d1', 'openai:gpt-4o-mini', other));
    const usage = await showUsage(ports)(tenant, { by: ['document', 'model'] });
    expect(usage).toMatchObject({
      month: '2026-11',
      currency: 'EUR',
      total: { calls: 3, inputTokens: 3_000, outputTokens: 300, cachedTokens: 1_200, unpriced: 1 },
      entries: [
        { document: 'd1', model: 'openai:gpt-4o-mini', task: null, calls: 2 },
        { document: 'd2', model: 'ollama:llama', task: null, calls: 1, money: 0, unpriced: 1 },
      ],
    });
    expect(usage.total.money).toBeCloseTo((2 * (600 * 10 + 400 * 1 + 100 * 20)) / 1e6, 12);
    expect((await showUsage(ports)(tenant, { month: '2026-10' })).total.calls).toBe(1);
    await expect(showUsage(ports)(tenant, { month: '2026-13' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('says when a budget is used up, by the tighter of the tenant’s and the operator’s, until it is raised or the month turns', async () => {
    const used = async () => (await spendingOf(ports)(tenant)).used?.code ?? null;
    expect(await spendingOf(ports)(tenant)).toEqual({ used: null, tokensLeft: null });
    await updateTenant({ db })(tenant, { budget: { tokensPerMonth: 10_000 } });
    expect(await spendingOf(ports)(tenant)).toEqual({ used: null, tokensLeft: 6_700 });
    await limitTenant({ db })({ id: tenant, budget: { tokensPerMonth: 3_000 } });
    expect((await showUsage(ports)(tenant)).paused).toMatchObject({
      code: 'BUDGET_USED',
      message: expect.stringContaining('3000 tokens'),
      next: expect.stringContaining('2026-12-01'),
    });
    await updateTenant({ db })(tenant, { budget: { tokensPerMonth: null } });
    expect(await used()).toBe('BUDGET_USED');
    today = '2026-12-01T00:00:00Z';
    expect(await used()).toBeNull();
    today = '2026-11-30T10:00:00Z';
    await limitTenant({ db })({ id: tenant, budget: { tokensPerMonth: null, moneyPerMonth: 0.01 } });
    expect(await used()).toBe('BUDGET_USED');
    await limitTenant({ db })({ id: tenant, budget: { moneyPerMonth: 1 } });
    expect(await used()).toBeNull();
    await expect(updateTenant({ db })(tenant, { budget: { tokensPerMonth: -1 } })).rejects.toMatchObject({
      field: 'budget.tokensPerMonth',
    });
  });
});

describe('prices', () => {
  it('are of the longest name that fits; of an unknown model there is none', () => {
    expect(priceOf(prices, 'openai:gpt-4o-mini')?.input).toBe(10);
    expect(priceOf(prices, 'openai:o9')?.input).toBe(1);
    expect(priceOf(prices, 'ollama:x')).toBeUndefined();
    expect(showPrice({ prices })('openai:o9')).toEqual({ currency: 'EUR', input: 1, output: 2, cached: 1 });
    expect(showPrice({})('openai:o9')).toBeNull();
    expect(moneyOf(undefined, { inputTokens: 1, outputTokens: 1, cachedTokens: 0 })).toBeUndefined();
  });
});
