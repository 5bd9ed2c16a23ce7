import { type PlaceLeft, TENANT_DELETED_EVENT } from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import { TIDINGS } from './forget-events.js';
import { RETENTION } from './retention.js';

interface Counted {
  jobs: number;
  dead: number;
  outbox: number;
  tidings: number;
  until: Date | null;
}

/** What the tables of delivery have of these documents. Inbox rows name no document: they hold events' ids alone. */
export const deliveryLeft = async (tx: QueryExecutorProvider, documents: readonly string[]): Promise<PlaceLeft[]> => {
  const of = sql`document = any(${documents})`;
  const tiding = sql`type = any(${[...TIDINGS]}) and not erase`;
  const { rows } = await sql<Counted>`
    select (select count(*)::int from jobs where ${of}) as jobs,
      (select count(*)::int from dead_letters where ${of}) as dead,
      (count(*) filter (where not (${tiding})))::int as outbox,
      (count(*) filter (where ${tiding}))::int as tidings,
      max(coalesce(published_at, now())) + ${RETENTION.outboxDays} * interval '1 day' as until
    from outbox where ${of}`.execute(tx);
  const { jobs = 0, dead = 0, outbox = 0, tidings = 0, until } = rows[0] ?? {};
  const kept = {
    count: tidings,
    why: 'Events that only say that it was deleted.',
    until: until?.toISOString() ?? null,
  };
  return [
    { place: 'jobs', left: jobs, kept: null },
    { place: 'dead letters', left: dead, kept: null },
    { place: 'outbox and streams', left: outbox, kept: tidings > 0 ? kept : null },
    { place: 'inbox', left: 0, kept: null },
  ];
};

/** Every table that has rows of tenants but the one that says which are closed; jobs first, so that no lease holds. */
const tablesOfTenants = async (tx: QueryExecutorProvider): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'tenant' and table_name <> 'closed_tenants'
    order by table_name <> 'jobs', table_name`.execute(tx);
  return rows.map(({ name }) => name);
};

/** How many rows each table has of the open transaction's tenant. */
export const tenantLeft = async (tx: QueryExecutorProvider): Promise<PlaceLeft[]> => {
  const tables = await tablesOfTenants(tx);
  const counts = tables.map((table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(tx);
  return tables.map((table) => ({ place: table.replaceAll('_', ' '), left: rows[0]?.[table] ?? 0, kept: null }));
};

const ROWS_A_STEP = 2_000;

/**
 * Takes some rows of the open transaction's tenant out of every table but `kept`; true when there were no more. What is
 * on the bus stays in the outbox until it has gone from there; that the tenant was deleted stays on the bus.
 */
export const eraseTenantRows = async (
  tx: QueryExecutorProvider,
  { kept = [], most = ROWS_A_STEP }: { kept?: readonly string[]; most?: number } = {},
): Promise<boolean> => {
  let ended = true;
  for (const table of await tablesOfTenants(tx)) {
    if (kept.includes(table)) continue;
    const gone = sql`published_at is not null and (sequences is null or type = ${TENANT_DELETED_EVENT})`;
    const some = sql`select ctid from ${sql.table(table)} where ${table === 'outbox' ? gone : sql`true`} limit ${most}`;
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(${some}))`.execute(tx);
    ended &&= Number(numAffectedRows ?? 0) < most;
  }
  await sql`update outbox set erase = true where not erase and type <> ${TENANT_DELETED_EVENT}`.execute(tx);
  const { rows } = await sql`select from outbox limit 1`.execute(tx);
  return ended && rows.length === 0;
};
