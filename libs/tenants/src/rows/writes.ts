import type { TenantId } from '@postmaster/contracts';
import type { Transaction } from 'kysely';
import type { StoredWrite, TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

export interface NewClaim {
  key: string;
  print: string | null;
  claim: string;
  at: Date;
  lapsesAt: Date;
}

/** The row that has the key, locked; undefined where it is this claim's now. */
export const claimWrite = async (
  tx: Tx,
  tenant: TenantId,
  { key, print, claim, at, lapsesAt }: NewClaim,
): Promise<StoredWrite | undefined> => {
  const row = { tenant, key, print, claim, lapses_at: lapsesAt, began_at: at, answer: null };
  const added = await tx
    .insertInto('writes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (added) return undefined;
  return writesOf(tx, tenant, key).selectAll().forUpdate().executeTakeFirst();
};

/** Of a locked row that has lapsed. */
export const takeOver = async (
  tx: Tx,
  tenant: TenantId,
  { key, print, claim, at, lapsesAt }: NewClaim,
): Promise<void> => {
  await tx
    .updateTable('writes')
    .set({ print, claim, lapses_at: lapsesAt, began_at: at, answer: null })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
};

export const holdClaim = async (
  tx: Tx,
  tenant: TenantId,
  key: string,
  claim: string,
  lapsesAt: Date,
): Promise<void> => {
  const held = tx.updateTable('writes').set({ lapses_at: lapsesAt }).where('tenant', '=', tenant);
  await held.where('key', '=', key).where('claim', '=', claim).where('answer', 'is', null).execute();
};

/** Nothing where another has taken the key over. */
export const keepAnswer = async (
  tx: Tx,
  tenant: TenantId,
  key: string,
  claim: string,
  { print, answer }: { print: string; answer: string },
): Promise<void> => {
  const kept = tx.updateTable('writes').set({ print, answer }).where('tenant', '=', tenant);
  await kept.where('key', '=', key).where('claim', '=', claim).execute();
};

export const dropClaim = async (tx: Tx, tenant: TenantId, key: string, claim: string): Promise<void> => {
  const dropped = tx.deleteFrom('writes').where('tenant', '=', tenant).where('key', '=', key);
  await dropped.where('claim', '=', claim).where('answer', 'is', null).execute();
};

/** For the system role. */
export const dropOlder = async (tx: Tx, than: Date): Promise<void> => {
  await tx.deleteFrom('writes').where('began_at', '<', than).execute();
};

const writesOf = (tx: Tx, tenant: TenantId, key: string) =>
  tx.selectFrom('writes').where('tenant', '=', tenant).where('key', '=', key);
