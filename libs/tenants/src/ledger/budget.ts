import { CodedError, type Failure } from '@postmaster/contracts';
import { z } from 'zod';

const Limit = z.number().nonnegative('should not be below 0').nullable();

/** What may be spent on language models in a calendar month, in UTC; what is absent is not limited. */
export const Budget = z.object({ tokensPerMonth: Limit, moneyPerMonth: Limit }).partial();
export type Budget = z.output<typeof Budget>;

/** The tighter of what the tenant and the operator set. */
export const tighter = (one: Budget, other: Budget): Budget => ({
  tokensPerMonth: least(one.tokensPerMonth, other.tokensPerMonth),
  moneyPerMonth: least(one.moneyPerMonth, other.moneyPerMonth),
});

const least = (a?: number | null, b?: number | null): number | null => {
  const set = [a, b].filter((limit) => typeof limit === 'number');
  return set.length > 0 ? Math.min(...set) : null;
};

/** "2026-11", in UTC. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

const nextMonth = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
};

/** Why nothing more may be asked in this month; null while something may. */
export const budgetUsed = (
  { tokensPerMonth, moneyPerMonth }: Budget,
  spent: { tokens: number; money: number },
  month: string,
  currency: string,
): Failure | null => {
  const used = [
    ...(typeof tokensPerMonth === 'number' && spent.tokens >= tokensPerMonth ? [`${tokensPerMonth} tokens`] : []),
    ...(typeof moneyPerMonth === 'number' && spent.money >= moneyPerMonth ? [`${currency} ${moneyPerMonth}`] : []),
  ];
  if (used.length === 0) return null;
  const message = `The budget of ${used.join(' and ')} for language models in ${month} is used up.`;
  return new CodedError('BUDGET_USED', message, {
    next: `Raise the budget (updateTenant); else work goes on by itself on ${nextMonth(month)}.`,
  }).toFailure();
};
