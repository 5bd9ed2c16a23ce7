import { type Kysely, sql } from 'kysely';
import type { OpenDatabase } from './open-database.js';
import { APP_ROLE } from './roles.js';

/** Others have their turn at PGlite's one session after so many tables: all of them together are some 100 ms of its work. */
const TABLES_IN_A_TURN = 8;

/**
 * Takes away what updates and deletes left behind, and counts anew what the planner goes by: PGlite has nobody who
 * does that in the background. As the database's owner, some tables at a time.
 */
export const cleanUp = async ({ kysely }: Pick<OpenDatabase, 'kysely'>): Promise<void> => {
  const tables = await allTables(kysely);
  for (let from = 0; from < tables.length; from += TABLES_IN_A_TURN)
    await vacuum(kysely, tables.slice(from, from + TABLES_IN_A_TURN));
};

const allTables = async (kysely: Kysely<unknown>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and not relisshared order by oid`.execute(
    kysely,
  );
  return rows.map(({ name }) => name);
};

const vacuum = (kysely: Kysely<unknown>, tables: readonly string[]): Promise<void> =>
  kysely.connection().execute(async (connection) => {
    await sql`set role none`.execute(connection);
    try {
      await sql`vacuum (analyze) ${sql.raw(tables.join(', '))}`.execute(connection);
    } finally {
      await sql`set role ${sql.id(APP_ROLE)}`.execute(connection);
    }
  });
