import { CodedError } from '@postmaster/contracts';
import { type Kysely, sql } from 'kysely';
import type { ServiceRows } from './migrate.js';

/**
 * Throws DATABASE_NOT_MIGRATED where a service's schema lacks a step that this code has. A step that this code does not
 * know is no matter: the version before runs on the next one's schema (expand, then contract).
 */
export const requireMigrated = async (kysely: Kysely<unknown>, { schema, migrations }: ServiceRows): Promise<void> => {
  const ran = await stepsThatRan(kysely, schema);
  const missing = Object.keys(migrations).filter((name) => !ran.has(name));
  if (missing.length > 0)
    throw new CodedError(
      'DATABASE_NOT_MIGRATED',
      `The schema "${schema}" lacks ${missing.length} of ${Object.keys(migrations).length} migrations: ${missing.sort().join(', ')}.`,
    );
};

const stepsThatRan = async (kysely: Kysely<unknown>, schema: string): Promise<Set<string>> => {
  const table = `${schema}.migrations`;
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(
    kysely,
  );
  if (!found[0]?.there) return new Set();
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(kysely);
  return new Set(rows.map(({ name }) => name));
};
