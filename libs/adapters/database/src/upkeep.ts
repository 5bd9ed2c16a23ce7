import { sql } from 'kysely';
import type { OpenDatabase } from './open-database.js';
import { APP_ROLE } from './roles.js';

/**
 * Takes away what updates and deletes left behind, and counts anew what the planner goes by: PGlite has nobody who
 * does that in the background. As the database's owner, on a connection of its own; blocks the one session of PGlite
 * while it runs (tens of milliseconds on some ten thousand rows).
 */
export const cleanUp = ({ kysely }: Pick<OpenDatabase, 'kysely'>): Promise<void> =>
  kysely.connection().execute(async (connection) => {
    await sql`set role none`.execute(connection);
    try {
      await sql`vacuum (analyze)`.execute(connection);
    } finally {
      await sql`set role ${sql.id(APP_ROLE)}`.execute(connection);
    }
  });
