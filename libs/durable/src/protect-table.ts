import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';

/** Sees the rows of one tenant, the one that its transaction names. */
export const APP_ROLE = 'postmaster_app';
/** Sees what comes before a tenant or spans tenants, and only what a table's policy gives it. */
export const SYSTEM_ROLE = 'postmaster_system';

export interface SystemRights {
  /** Columns that the system role reads. */
  read: readonly string[];
  /** Columns that it updates; what it reads, unless told. */
  update?: readonly string[];
  /** Columns that it inserts; none unless told. */
  insert?: readonly string[];
  delete?: boolean;
  /** The rows it reaches; all unless told. */
  rows?: RawBuilder<unknown>;
}

export interface Protection {
  /** A list of columns is short for reading and updating those, in every row. */
  system: 'none' | 'all' | readonly string[] | SystemRights;
}

const ALL_ROWS = sql`true`;

/**
 * Forces row-level security on a table with a text column `tenant`: the app role reaches the rows of
 * `current_setting('app.tenant')` and none where that is unset; the system role what `system` says. For migrations.
 */
export const protectTable = async (
  db: Kysely<unknown> | Transaction<unknown>,
  schema: string,
  table: string,
  { system }: Protection,
): Promise<void> => {
  const target = sql.table(`${schema}.${table}`);
  const app = sql.ref(APP_ROLE);
  const own = sql`tenant = current_setting('app.tenant', true)`;
  await sql`alter table ${target} enable row level security`.execute(db);
  await sql`alter table ${target} force row level security`.execute(db);
  await sql`grant usage on schema ${sql.ref(schema)} to ${app}, ${sql.ref(SYSTEM_ROLE)}`.execute(db);
  await sql`grant select, insert, update, delete on ${target} to ${app}`.execute(db);
  await sql`create policy tenant_only on ${target} to ${app} using (${own}) with check (${own})`.execute(db);
  if (system !== 'none') await admitSystem(db, target, system);
};

const admitSystem = async (
  db: Kysely<unknown>,
  target: RawBuilder<unknown>,
  system: Exclude<Protection['system'], 'none'>,
): Promise<void> => {
  const role = sql.ref(SYSTEM_ROLE);
  const rights: SystemRights | undefined = system === 'all' ? undefined : isColumns(system) ? { read: system } : system;
  const grants = rights ? grantsOf(rights) : [sql`select, insert, update, delete`];
  for (const grant of grants) await sql`grant ${grant} on ${target} to ${role}`.execute(db);
  const rows = rights?.rows ?? ALL_ROWS;
  await sql`create policy system_reach on ${target} to ${role} using (${rows}) with check (${rows})`.execute(db);
};

const isColumns = (system: readonly string[] | SystemRights): system is readonly string[] => Array.isArray(system);

const grantsOf = ({
  read,
  update = read,
  insert = [],
  delete: mayDelete = false,
}: SystemRights): RawBuilder<unknown>[] => [
  ...onColumns('select', read),
  ...onColumns('update', update),
  ...onColumns('insert', insert),
  ...(mayDelete ? [sql`delete`] : []),
];

const onColumns = (right: 'select' | 'update' | 'insert', columns: readonly string[]): RawBuilder<unknown>[] =>
  columns.length === 0 ? [] : [sql`${sql.raw(right)} (${sql.join(columns.map((name) => sql.ref(name)))})`];
