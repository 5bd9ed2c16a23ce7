import type { TenantId } from '@postmaster/contracts';
import { type Transaction, sql } from 'kysely';
import type { Key } from '../tenant.js';
import { KEY_HASH_SETTING } from './migrations.js';
import type { StoredKey, TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

const keyOf = (row: StoredKey): Key => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});

/** Undefined where that secret is a key already, of this tenant or another. */
export const addKey = async (tx: Tx, tenant: TenantId, key: Key, hash: string): Promise<Key | undefined> => {
  const row = await tx
    .insertInto('keys')
    .values({
      id: key.id,
      tenant,
      name: key.name,
      hash,
      scopes: key.scopes,
      created_at: key.createdAt,
      revoked_at: key.revokedAt,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && keyOf(row);
};

/** The newest first. */
export const listKeys = async (tx: Tx, tenant: TenantId): Promise<Key[]> => {
  const keys = tx.selectFrom('keys').selectAll().where('tenant', '=', tenant);
  return (await keys.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(keyOf);
};

/** A key that is revoked already keeps its first moment. Undefined where the tenant has none of that id. */
export const endKey = async (tx: Tx, tenant: TenantId, id: string, at: Date): Promise<Key | undefined> => {
  const row = await tx
    .updateTable('keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${at})` })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && keyOf(row);
};

/** Of the keys of one name, only that of `hash` counts from now on. */
export const keepOnly = async (tx: Tx, tenant: TenantId, name: string, hash: string, at: Date): Promise<void> => {
  const keys = tx.updateTable('keys').where('tenant', '=', tenant).where('name', '=', name);
  await keys.set({ revoked_at: at }).where('hash', '<>', hash).where('revoked_at', 'is', null).execute();
  await keys.set({ revoked_at: null }).where('hash', '=', hash).execute();
};

export type LivingKey = Pick<StoredKey, 'id' | 'tenant' | 'scopes'>;

/** For the system role, which reaches no other key than that of this hash. None of a tenant that is deleted. */
export const findLivingKey = async (tx: Tx, hash: string): Promise<LivingKey | undefined> => {
  await sql`select set_config(${KEY_HASH_SETTING}, ${hash}, true)`.execute(tx);
  const keys = tx.selectFrom('keys').select(['id', 'tenant', 'scopes']);
  return keys
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`tenant not in (select tenant from closed_tenants)`)
    .executeTakeFirst();
};
