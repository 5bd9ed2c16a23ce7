import type { ModelCalls } from '@postmaster/contracts';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

export interface Costs {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Of the input, read from the provider's cache. */
  cachedTokens: number;
  money: number;
  /** Calls whose price is not known: their money is missing. */
  unpriced: number;
}

/** Adds to the tenant's ledger, where `isNew` holds. */
export const costAdded = (
  isNew: RawBuilder<unknown>,
  tenant: string,
  month: string,
  { document, task, model, calls, inputTokens, outputTokens, cachedTokens }: ModelCalls & { document: string },
  money: number | undefined,
): RawBuilder<unknown> =>
  sql`
    insert into costs (tenant, month, document, task, model, calls, input_tokens, output_tokens, cached_tokens, money, unpriced)
    select ${tenant}, ${month}, ${document}, ${task}, ${model}, ${calls}, ${inputTokens}, ${outputTokens},
           ${cachedTokens}, ${money ?? 0}, ${money === undefined ? calls : 0} where ${isNew}
    on conflict (tenant, month, document, task, model) do update set
      calls = costs.calls + excluded.calls,
      input_tokens = costs.input_tokens + excluded.input_tokens,
      output_tokens = costs.output_tokens + excluded.output_tokens,
      cached_tokens = costs.cached_tokens + excluded.cached_tokens,
      money = costs.money + excluded.money,
      unpriced = costs.unpriced + excluded.unpriced`;

export const DIMENSIONS = ['task', 'model', 'document'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export interface UsageEntry extends Costs {
  task: string | null;
  model: string | null;
  document: string | null;
}

/** A month's costs, summed up by what is asked for; the dearest first, then those with the most tokens. */
export const readCosts = async (
  tx: Tx,
  month: string,
  by: readonly Dimension[],
  first: number,
): Promise<UsageEntry[]> => {
  const named = (dimension: Dimension) => (by.includes(dimension) ? sql.ref(dimension) : sql`null::text`);
  const { rows } = await sql<UsageEntry>`
    select ${named('task')} as task, ${named('model')} as model, ${named('document')} as document,
      coalesce(sum(calls), 0) as calls, coalesce(sum(input_tokens), 0) as "inputTokens",
      coalesce(sum(output_tokens), 0) as "outputTokens", coalesce(sum(cached_tokens), 0) as "cachedTokens",
      coalesce(sum(money), 0) as money, coalesce(sum(unpriced), 0) as unpriced
    from costs where month = ${month}
    ${by.length > 0 ? sql`group by ${sql.join(by.map((dimension) => sql.ref(dimension)))}` : sql``}
    order by money desc, "inputTokens" desc limit ${first}`.execute(tx);
  return rows;
};
