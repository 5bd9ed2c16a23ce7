import { CodedError, type Failure, NO_PRICES, type Prices, type Spending, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { type Dimension, readCosts, type UsageEntry } from '../rows/costs.js';
import type { TenantsTables } from '../rows/tables.js';
import { readTenant } from '../rows/tenants.js';
import { type Budget, budgetUsed, monthOf, tighter } from './budget.js';

export interface UsagePorts {
  db: Database<TenantsTables>;
  /** None unless told. */
  prices?: Prices;
  now: () => Date;
}

/** What a tenant's language models took in a month. */
export interface Usage {
  month: string;
  currency: string;
  total: UsageEntry;
  entries: UsageEntry[];
  /** The tighter of the tenant's and the operator's. */
  budget: Budget;
  /** Why work waits, in the present month. */
  paused: Failure | null;
}

const MOST_ENTRIES = 500;

/** Throws INPUT_INVALID for no month, NOT_FOUND. */
export const showUsage =
  ({ db, prices: { currency } = NO_PRICES, now }: UsagePorts) =>
  async (
    id: TenantId,
    { month = monthOf(now()), by = ['task', 'model'] }: { month?: string; by?: readonly Dimension[] } = {},
  ): Promise<Usage> => {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
      throw new CodedError('INPUT_INVALID', `"month" should be as 2026-11, not "${month}".`, { field: 'month' });
    return db.asTenant(id, async (tx) => {
      const tenant = await readTenant(tx, id);
      if (!tenant) throw new CodedError('NOT_FOUND', `There is no tenant "${id}".`);
      const [total = NOTHING] = await readCosts(tx, month, [], 1);
      const entries = by.length > 0 ? await readCosts(tx, month, by, MOST_ENTRIES) : [];
      const budget = tighter(tenant.budget, tenant.ceiling);
      const tokens = total.inputTokens + total.outputTokens;
      const isNow = month === monthOf(now());
      const paused = isNow ? budgetUsed(budget, { tokens, money: total.money }, month, currency) : null;
      return { month, currency, total, entries, budget, paused };
    });
  };

const NOTHING: UsageEntry = {
  ...{ task: null, model: null, document: null },
  ...{ calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, money: 0, unpriced: 0 },
};

/** What may still be spent this month. */
export const spendingOf =
  (ports: UsagePorts) =>
  async (tenant: TenantId): Promise<Spending> => {
    const { total, budget, paused } = await showUsage(ports)(tenant, { by: [] });
    const { tokensPerMonth } = budget;
    const tokens = total.inputTokens + total.outputTokens;
    return { used: paused, tokensLeft: typeof tokensPerMonth === 'number' ? tokensPerMonth - tokens : null };
  };
