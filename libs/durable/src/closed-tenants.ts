import type { TenantId } from '@postmaster/contracts';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.js';
import { protectTable } from './protect-table.js';

/** What `enter_tenant` raises for a tenant that is closed. */
export const TENANT_CLOSED = 'PM410';

/**
 * The tenants that a service takes nothing of any more, and the two functions around them. Every transaction of a tenant
 * enters it: it shares a lock that closing takes alone. So what began before is over when a tenant is closed, and what
 * begins later is refused. For migrations.
 */
export const addClosedTenants = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  const closed = sql.table(`${schema}.closed_tenants`);
  const lock = sql`hashtextextended(${sql.lit(`${schema}:`)} || current_setting('app.tenant'), 0)`;
  const isClosed = sql`exists (select from ${closed} where tenant = current_setting('app.tenant'))`;
  await sql`
    create table ${closed} (
      tenant text primary key,
      at timestamptz not null default now()
    )`.execute(db);
  await protectTable(db, schema, 'closed_tenants', {
    system: { read: ['tenant', 'at'], update: [], delete: true },
  });
  // Each statement of a volatile function sees what was committed before it: the second one looks after the wait.
  await sql`
    create function ${sql.table(`${schema}.enter_tenant`)}() returns void language plpgsql volatile as $enter$
    begin
      perform pg_advisory_xact_lock_shared(${lock});
      if ${isClosed} then
        raise exception 'the tenant is closed' using errcode = ${sql.lit(TENANT_CLOSED)};
      end if;
    end $enter$`.execute(db);
  await sql`
    create function ${sql.table(`${schema}.close_tenant`)}() returns boolean language plpgsql volatile as $close$
    begin
      if ${isClosed} then return false; end if;
      perform pg_advisory_xact_lock(${lock});
      insert into ${closed} (tenant) values (current_setting('app.tenant')) on conflict do nothing;
      return found;
    end $close$`.execute(db);
};

/**
 * From the moment this resolves, a service takes nothing of the tenant: no transaction that began before goes on, and
 * every later `asTenant` throws TENANT_DELETED. `once` is done with the first closing, or not at all. Safe to repeat.
 */
export const closeTenant = <T>(
  db: Database<T>,
  tenant: TenantId,
  once: (tx: Transaction<T>) => Promise<unknown> = async () => {},
): Promise<void> =>
  db.evenClosed(tenant, async (tx) => {
    const { rows } = await sql<{ closed: boolean }>`select close_tenant() as closed`.execute(tx);
    if (rows[0]?.closed) await once(tx);
  });
