import type { Facets, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { FacetReply } from '../facet-model.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

export type Claimed = { state: 'ours' } | { state: 'asked' } | { state: 'there'; facets: Facets };

/** Who asks the model for this input? A reply that is there is used; one being asked for elsewhere is waited for. */
export const claimReply = async (
  tx: Tx,
  tenant: TenantId,
  { inputHash, paragraph }: { inputHash: string; paragraph: string },
  forMs: number,
): Promise<Claimed> => {
  await sql`
    insert into reply_uses (tenant, input_hash, paragraph)
    select ${tenant}, ${inputHash}, id from paragraphs where id = ${paragraph}
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ facets: Facets | null; ours: boolean }>`
    with claimed as (
      insert into replies (tenant, input_hash, asked_until)
      values (${tenant}, ${inputHash}, now() + ${forMs} * interval '1 millisecond')
      on conflict (tenant, input_hash) do update set asked_until = excluded.asked_until
        where replies.facets is null and replies.asked_until < now()
      returning facets
    )
    select facets, true as ours from claimed
    union all
    select facets, false from replies where input_hash = ${inputHash} and not exists (select from claimed)`.execute(tx);
  const row = rows[0];
  if (row?.facets) return { state: 'there', facets: row.facets };
  return { state: row?.ours ? 'ours' : 'asked' };
};

/** Keeps a reply under its claim. The claim is gone where all that it was asked for was erased meanwhile. */
export const keepReply = (tx: Tx, inputHash: string, { facets, usage }: FacetReply): Promise<unknown> =>
  tx
    .updateTable('replies')
    .set({ facets: JSON.stringify(facets), input_tokens: usage.inputTokens, output_tokens: usage.outputTokens })
    .where('input_hash', '=', inputHash)
    .execute();

/** Gives a claim back at once, so that the next try need not wait for it. */
export const dropClaim = (tx: Tx, inputHash: string): Promise<unknown> =>
  tx.deleteFrom('replies').where('input_hash', '=', inputHash).where('facets', 'is', null).execute();

/** Gives back the claims of a process that is gone; only when no other can be alive. */
export const freeClaims = async (db: Database<EnrichmentTables>): Promise<void> => {
  const tenants = await db.asSystem(async (tx) => {
    const { rows } = await sql<{ tenant: TenantId }>`select distinct tenant from jobs`.execute(tx);
    return rows.map((row) => row.tenant);
  });
  for (const tenant of tenants)
    await db.asTenant(tenant, (tx) => tx.deleteFrom('replies').where('facets', 'is', null).execute());
};
