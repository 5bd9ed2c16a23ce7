import type { Facets, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { FacetReply } from '../facet-model.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

export type Claimed = { state: 'ours' } | { state: 'asked' } | { state: 'there'; facets: Facets };

/**
 * Who asks the model for these inputs? A reply that is there is used; one being asked for elsewhere is waited for.
 * By input hash: all that a worker took on, in one trip.
 */
export const claimReplies = async (
  tx: Tx,
  tenant: TenantId,
  wanted: readonly { inputHash: string; paragraph: string }[],
  forMs: number,
): Promise<Map<string, Claimed>> => {
  const uses = JSON.stringify(wanted.map(({ inputHash, paragraph }) => ({ input_hash: inputHash, paragraph })));
  await sql`
    insert into reply_uses (tenant, input_hash, paragraph)
    select ${tenant}, w.input_hash, paragraphs.id
    from json_to_recordset(${uses}::json) as w(input_hash text, paragraph text)
    join paragraphs on paragraphs.id = w.paragraph
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ input_hash: string; facets: Facets | null; ours: boolean }>`
    with wanted as (
      select distinct input_hash from json_to_recordset(${uses}::json) as w(input_hash text)
    ), claimed as (
      insert into replies (tenant, input_hash, asked_until)
      select ${tenant}, input_hash, now() + ${forMs} * interval '1 millisecond' from wanted order by input_hash
      on conflict (tenant, input_hash) do update set asked_until = excluded.asked_until
        where replies.facets is null and replies.asked_until < now()
      returning input_hash, facets
    )
    select input_hash, facets, true as ours from claimed
    union all
    select input_hash, facets, false from replies
    where input_hash in (select input_hash from wanted) and input_hash not in (select input_hash from claimed)`.execute(
    tx,
  );
  return new Map(
    rows.map(({ input_hash, facets, ours }): [string, Claimed] => [
      input_hash,
      facets ? { state: 'there', facets } : { state: ours ? 'ours' : 'asked' },
    ]),
  );
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
