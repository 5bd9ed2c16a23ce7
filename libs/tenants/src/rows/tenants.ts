import type { TenantId } from '@postmaster/contracts';
import type { Transaction } from 'kysely';
import type { Tenant } from '../tenant.js';
import type { StoredTenant, TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

const tenantOf = (row: StoredTenant): Tenant => ({
  id: row.tenant,
  name: row.name,
  paragraphWords: row.paragraph_words,
  longParagraphs: row.long_paragraphs,
  chunking: row.chunking,
  createdAt: row.created_at,
});

/** Undefined where there is one of that id already. */
export const addTenant = async (tx: Tx, tenant: Tenant): Promise<Tenant | undefined> => {
  const row = await tx
    .insertInto('tenants')
    .values({
      tenant: tenant.id,
      name: tenant.name,
      paragraph_words: tenant.paragraphWords,
      long_paragraphs: tenant.longParagraphs,
      chunking: tenant.chunking,
      created_at: tenant.createdAt,
    })
    .onConflict((conflict) => conflict.column('tenant').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && tenantOf(row);
};

export const readTenant = async (tx: Tx, tenant: TenantId): Promise<Tenant | undefined> => {
  const row = await tx.selectFrom('tenants').selectAll().where('tenant', '=', tenant).executeTakeFirst();
  return row && tenantOf(row);
};

/** What is undefined stays as it is. */
export const changeTenant = async (
  tx: Tx,
  tenant: TenantId,
  {
    name,
    paragraphWords,
    longParagraphs,
    chunking,
  }: Partial<Pick<Tenant, 'name' | 'paragraphWords' | 'longParagraphs' | 'chunking'>>,
): Promise<Tenant | undefined> => {
  const change = { name, paragraph_words: paragraphWords, long_paragraphs: longParagraphs, chunking };
  if (Object.values(change).every((value) => value === undefined)) return readTenant(tx, tenant);
  const row = await tx
    .updateTable('tenants')
    .set(change)
    .where('tenant', '=', tenant)
    .returningAll()
    .executeTakeFirst();
  return row && tenantOf(row);
};
