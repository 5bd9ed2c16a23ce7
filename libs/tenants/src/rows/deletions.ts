import type { PlaceLeft, TenantId } from '@postmaster/contracts';
import { type Database, eraseTenantRows, tenantLeft } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

/** How long it is known that a tenant was deleted: the bus names it for 7 days. */
export const FREE_AGAIN_DAYS = 8;
const DAY_MS = 86_400_000;

/** When the open transaction's tenant was deleted; undefined where it was not. */
export const closedAt = async (tx: Tx): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date }>`
    select at from closed_tenants where tenant = current_setting('app.tenant')`.execute(tx);
  return rows[0]?.at;
};

export const tenantPlaces = async (tx: Tx): Promise<PlaceLeft[]> => {
  const places = await tenantLeft(tx);
  const at = await closedAt(tx);
  const why = 'That it was deleted; its id is free again then.';
  const until = at ? new Date(at.getTime() + FREE_AGAIN_DAYS * DAY_MS).toISOString() : null;
  return places.map((one) => (one.place === 'tenants' && at ? { ...one, kept: { count: 1, why, until } } : one));
};

/** Tenants that are still to be erased. */
export const closedButThere = (db: Database<TenantsTables>): Promise<TenantId[]> =>
  db.asSystem(async (tx) => {
    const { rows } = await sql<{ tenant: TenantId }>`
      select tenant from closed_tenants where tenant in (select tenant from tenants) order by at`.execute(tx);
    return rows.map(({ tenant }) => tenant);
  });

/** The last that there is of a tenant. */
export const eraseRows = async (tx: Tx): Promise<void> => {
  await eraseTenantRows(tx, { kept: ['writes', 'model_profiles', 'keys', 'tenants'] });
  for (const table of ['costs', 'writes', 'model_profiles', 'keys', 'tenants'] as const)
    await tx.deleteFrom(table).execute();
};

/** Lets the ids of tenants be used again that were erased, and deleted so long ago. */
export const forgetClosed = (db: Database<TenantsTables>, days: number): Promise<unknown> =>
  db.asSystem((tx) =>
    sql`delete from closed_tenants
        where at < now() - ${days} * interval '1 day' and tenant not in (select tenant from tenants)`.execute(tx),
  );
