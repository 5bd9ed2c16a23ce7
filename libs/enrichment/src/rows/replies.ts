import type { EventData, Facets, TenantId } from '@postmaster/contracts';
import { type Database, type Job, publishWith } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { FacetReply } from '../facet-model.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

export type Claimed = { state: 'ours' } | { state: 'asked' } | { state: 'there'; facets: Facets };

/** What a job needs a reply for. */
export interface ReplyWanted {
  inputHash: string;
  paragraph: string;
  job: Pick<Job, 'id' | 'fence'>;
}

/**
 * Who asks the model for these inputs? A reply that is there is used; one being asked for elsewhere is waited for, as
 * long as the lease of the job that asks holds. By input hash: all that a worker took on, in one trip.
 */
export const claimReplies = async (
  tx: Tx,
  tenant: TenantId,
  wanted: readonly ReplyWanted[],
): Promise<Map<string, Claimed>> => {
  const uses = JSON.stringify(
    wanted.map(({ inputHash, paragraph, job: { id, fence } }) => ({
      input_hash: inputHash,
      paragraph,
      job: id,
      fence,
    })),
  );
  await sql`
    insert into reply_uses (tenant, input_hash, paragraph)
    select ${tenant}, w.input_hash, paragraphs.id
    from json_to_recordset(${uses}::json) as w(input_hash text, paragraph text)
    join paragraphs on paragraphs.id = w.paragraph
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ input_hash: string; facets: Facets | null; ours: boolean }>`
    with wanted as (
      select distinct on (input_hash) input_hash, job, fence
      from json_to_recordset(${uses}::json) as w(input_hash text, job bigint, fence bigint)
    ), claimed as (
      insert into replies (tenant, input_hash, asked_until, asked_by, asked_fence)
      select ${tenant}, input_hash, now() + interval '30 minutes', job, fence from wanted order by input_hash
      on conflict (tenant, input_hash) do update
        set asked_until = excluded.asked_until, asked_by = excluded.asked_by, asked_fence = excluded.asked_fence
        where replies.facets is null and case when replies.asked_by is null then replies.asked_until < now()
          else not exists (select from jobs where jobs.id = replies.asked_by and jobs.fence = replies.asked_fence
                           and jobs.state = 'leased' and jobs.leased_until > now()) end
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

/**
 * Keeps a reply under its claim and tells what it cost, in a transaction of their own. The claim is gone where all that
 * it was asked for was erased meanwhile.
 */
export const keepReply = (
  db: Database<EnrichmentTables>,
  tenant: TenantId,
  inputHash: string,
  { facets, usage }: FacetReply,
  cost: EventData<'model.called'>,
): Promise<void> =>
  publishWith(
    db as Database<unknown>,
    tenant,
    sql`update replies set facets = ${JSON.stringify(facets)}, input_tokens = ${usage.inputTokens},
          output_tokens = ${usage.outputTokens}
        where input_hash = ${inputHash}`,
    'model.called',
    cost,
  );

/** Gives a job's claim back at once, so that the next try need not wait for it. */
export const dropClaim = (tx: Tx, inputHash: string, { id, fence }: Pick<Job, 'id' | 'fence'>): Promise<unknown> =>
  tx
    .deleteFrom('replies')
    .where('input_hash', '=', inputHash)
    .where('facets', 'is', null)
    .where('asked_by', '=', id)
    .where('asked_fence', '=', fence)
    .execute();

/** Drops replies that nothing was made of, so that the same input is asked about anew. */
export const forgetReplies = (tx: Tx, inputHashes: readonly string[]): Promise<unknown> =>
  tx
    .deleteFrom('replies')
    .where('input_hash', 'in', [...inputHashes, ''])
    .execute();

/** Drops the replies to these paragraphs' inputs that such models gave in place of the one that was asked. */
export const forgetRepliesBy = (tx: Tx, models: readonly string[], paragraphs: readonly string[]): Promise<unknown> =>
  sql`
    delete from replies where facets->>'model' = any(${models}) and input_hash in
      (select input_hash from reply_uses where paragraph = any(${paragraphs}))`.execute(tx);

/** Gives back the claims of a process that is gone; only when no other can be alive. */
export const freeClaims = async (db: Database<EnrichmentTables>): Promise<void> => {
  const tenants = await db.asSystem(async (tx) => {
    const { rows } = await sql<{ tenant: TenantId }>`select distinct tenant from jobs`.execute(tx);
    return rows.map((row) => row.tenant);
  });
  for (const tenant of tenants)
    await db.asTenant(tenant, (tx) => tx.deleteFrom('replies').where('facets', 'is', null).execute());
};
