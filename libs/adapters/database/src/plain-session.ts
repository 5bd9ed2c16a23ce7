import { CompiledQuery, type DatabaseConnection } from 'kysely';
import { APP_ROLE } from './roles.js';

const BECOME_PLAIN = CompiledQuery.raw(
  `select set_config('role', rolname, false) from pg_catalog.pg_roles
   where rolname = '${APP_ROLE}' and pg_catalog.pg_has_role(session_user, oid, 'member')`,
);

/** Makes postmaster_app each session's role, once, as soon as that role exists and has the login for a member; a transaction may still choose another. */
export const plainSessions = (): ((connection: DatabaseConnection) => Promise<void>) => {
  const plain = new WeakSet<DatabaseConnection>();
  return async (connection) => {
    if (plain.has(connection)) return;
    const { rows } = await connection.executeQuery(BECOME_PLAIN);
    if (rows.length > 0) plain.add(connection);
  };
};
