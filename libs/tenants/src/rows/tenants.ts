import type { SearchSettings, TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import type { Budget } from '../ledger/budget.js';
import type { Tenant, UpdateTenant } from '../tenant.js';
import type { StoredTenant, TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

const tenantOf = (row: StoredTenant): Tenant => ({
  id: row.tenant,
  name: row.name,
  paragraphWords: row.paragraph_words,
  longParagraphs: row.long_paragraphs,
  chunking: row.chunking,
  entitiesBy: row.entities_by,
  search: row.search,
  budget: row.budget,
  ceiling: row.ceiling,
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
      entities_by: tenant.entitiesBy,
      search: JSON.stringify(tenant.search),
      created_at: tenant.createdAt,
    })
    .onConflict((conflict) => conflict.column('tenant').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && tenantOf(row);
};

/** As the search settings are: what is null goes, what is absent stays. */
const changed = <T>(column: string, change: T) =>
  sql<T>`jsonb_strip_nulls(${sql.ref(column)} || ${JSON.stringify(change)}::jsonb)`;

export const setCeiling = async (tx: Tx, tenant: TenantId, ceiling: Budget): Promise<Tenant | undefined> => {
  const row = await tx
    .updateTable('tenants')
    .set({ ceiling: changed<Budget>('ceiling', ceiling) })
    .where('tenant', '=', tenant)
    .returningAll()
    .executeTakeFirst();
  return row && tenantOf(row);
};

export const readTenant = async (tx: Tx, tenant: TenantId): Promise<Tenant | undefined> => {
  const row = await tx.selectFrom('tenants').selectAll().where('tenant', '=', tenant).executeTakeFirst();
  return row && tenantOf(row);
};

/** What is undefined stays as it is; a search setting that is null goes. */
export const changeTenant = async (
  tx: Tx,
  tenant: TenantId,
  change: z.output<typeof UpdateTenant>,
): Promise<Tenant | undefined> => {
  if (Object.values(change).every((one) => one === undefined)) return readTenant(tx, tenant);
  const { name, paragraphWords, longParagraphs, chunking, entitiesBy, search, budget } = change;
  const row = await tx
    .updateTable('tenants')
    .set({
      name,
      paragraph_words: paragraphWords,
      long_paragraphs: longParagraphs,
      chunking,
      entities_by: entitiesBy,
      // in the database, so that two who change different settings at once both succeed
      search: search && sql<SearchSettings>`jsonb_strip_nulls(search || ${JSON.stringify(search)}::jsonb)`,
      budget: budget && changed<Budget>('budget', budget),
    })
    .where('tenant', '=', tenant)
    .returningAll()
    .executeTakeFirst();
  return row && tenantOf(row);
};
