import { CodedError } from '@postmaster/contracts';
import { type Kysely, type Migration, type Transaction, sql } from 'kysely';
import { admitLogins, APP_ROLE, createRoles } from './roles.js';

/** What one service keeps: its own schema and the steps that make it, by names that sort in their order. */
export interface ServiceRows {
  schema: string;
  migrations: Record<string, Migration>;
}

/** Held for the length of the transaction; other starters wait. The number only has to be ours. */
const MIGRATION_LOCK = 4_171_881_000;

/**
 * Brings every service's schema up to date, all or nothing, whoever else starts at the same moment; gives back what
 * ran, as "schema/name". Throws DATA_NEWER where the database has steps that this code does not know.
 *
 * `admitted` are the logins that may act as the roles of services; they own nothing. Throws where one does not exist.
 *
 * One transaction for all services is why this is not Kysely's Migrator, which opens its own for each table of migrations.
 */
export const migrate = (
  kysely: Kysely<unknown>,
  services: readonly ServiceRows[],
  admitted: readonly string[] = [],
): Promise<string[]> =>
  kysely.transaction().execute(async (tx) => {
    await sql`select set_config('role', 'none', true), set_config('statement_timeout', '0', true)`.execute(tx);
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
    await createRoles(tx);
    await admitLogins(tx, admitted);
    const ran = new Map<string, Set<string>>();
    for (const { schema } of services) ran.set(schema, await stepsThatRan(tx, schema));
    refuseNewer(services, ran);
    const running: string[] = [];
    for (const { schema, migrations } of services) {
      const before = ran.get(schema);
      for (const name of Object.keys(migrations).sort()) {
        if (before?.has(name)) continue;
        await migrations[name]?.up(tx);
        await sql`insert into ${stepsTable(schema)} (name) values (${name})`.execute(tx);
        running.push(`${schema}/${name}`);
      }
    }
    return running;
  });

const stepsTable = (schema: string) => sql.table(`${schema}.migrations`);

const stepsThatRan = async (tx: Transaction<unknown>, schema: string): Promise<Set<string>> => {
  await sql`create schema if not exists ${sql.ref(schema)}`.execute(tx);
  await sql`create table if not exists ${stepsTable(schema)}
    (name text primary key, ran_at timestamptz not null default now())`.execute(tx);
  await sql`grant usage on schema ${sql.ref(schema)} to ${sql.ref(APP_ROLE)}`.execute(tx); // services look what has run
  await sql`grant select on ${stepsTable(schema)} to ${sql.ref(APP_ROLE)}`.execute(tx);
  const { rows } = await sql<{ name: string }>`select name from ${stepsTable(schema)}`.execute(tx);
  return new Set(rows.map(({ name }) => name));
};

const refuseNewer = (services: readonly ServiceRows[], ran: Map<string, Set<string>>): void => {
  const unknown = services.flatMap(({ schema, migrations }) =>
    [...(ran.get(schema) ?? [])].filter((name) => !(name in migrations)).map((name) => `${schema}/${name}`),
  );
  if (unknown.length > 0)
    throw new CodedError(
      'DATA_NEWER',
      `The database has migrations that this version does not know: ${unknown.sort().join(', ')}.`,
    );
};
