import { CodedError } from './errors.js';
import type { ModelCalls } from './events.js';
import type { Failure } from './failure.js';
import type { TenantId } from './ids.js';
import { setWithin } from './set-within.js';
import type { Spending } from './spending.js';

/** Whether tenants may still have models asked. */
export interface TenantBudgets {
  /** Why the tenant's work has to wait; null while it may go on. */
  used(tenant: TenantId): Promise<Failure | null>;
  /** A reply came, which the ledger will hear of. */
  spent(tenant: TenantId, usage: Pick<ModelCalls, 'inputTokens' | 'outputTokens'>): void;
}

/** Throws BUDGET_USED where the tenant's work has to wait. */
export const requireBudget = async (budgets: TenantBudgets | undefined, tenant: TenantId): Promise<void> => {
  const used = await budgets?.used(tenant);
  if (used) throw new CodedError('BUDGET_USED', used.message, { next: used.next });
};

/** How long an answer is believed. */
const FRESH_MS = 2_000;
/** From then on the next one is asked for, so that work that goes on does not wait for it. */
const RENEW_MS = 1_500;
const MOST_TENANTS = 1_000;

interface Known {
  at: number;
  answer: Promise<Spending>;
  /** Spent since it was asked for. */
  tokens: number;
  /** Asked for while this one is still believed. */
  next?: Known;
}

/**
 * Asks what may be spent hardly more than every other second, and counts what comes meanwhile, so that a budget of tokens
 * is passed by no more than the calls in flight and what the ledger has not heard of. While it can't be asked, work goes
 * on by the answer it had last, or none: an outage of the ledger stops nobody.
 */
export const tenantBudgets = (
  ask: (tenant: TenantId) => Promise<Spending>,
  now: () => number = Date.now,
): TenantBudgets => {
  const known = new Map<TenantId, Known>();
  const asked = (tenant: TenantId, before?: Known): Known => {
    const unlimited: Spending = { used: null, tokensLeft: null };
    return { at: now(), answer: ask(tenant).catch(() => before?.answer ?? unlimited), tokens: 0 };
  };
  const freshOf = (tenant: TenantId): Known => {
    const before = known.get(tenant);
    const age = before ? now() - before.at : Infinity;
    if (before && age < FRESH_MS) {
      if (age >= RENEW_MS) before.next ??= asked(tenant, before);
      return before;
    }
    const fresh = before?.next && now() - before.next.at < FRESH_MS ? before.next : asked(tenant, before);
    setWithin(known, MOST_TENANTS, tenant, fresh);
    return fresh;
  };
  return {
    used: async (tenant) => {
      const one = freshOf(tenant);
      const { used, tokensLeft } = await one.answer;
      if (used || tokensLeft === null || one.tokens < tokensLeft) return used;
      known.delete(tenant); // the ledger says why, once it has heard of it
      return (await freshOf(tenant).answer).used;
    },
    spent: (tenant, { inputTokens, outputTokens }) => {
      const one = known.get(tenant);
      for (const each of [one, one?.next]) if (each) each.tokens += inputTokens + outputTokens;
    },
  };
};
