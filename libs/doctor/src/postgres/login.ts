import { APP_ROLE, requirePlainLogin, SYSTEM_ROLE } from '@postmaster/database';
import { type Kysely, sql } from 'kysely';
import { fail, ok, type Verdict } from '../finding.js';
import { listed } from '../figures.js';
import { SERVICE_ROWS } from './service-rows.js';

/** Whether both roles are there, and row-level security holds for the login of the services in every schema. */
export const loginVerdict = async (kysely: Kysely<unknown>): Promise<Verdict> => {
  const { rows } = await sql<{ name: string; login: string }>`
    select rolname as name, session_user as login from pg_roles where rolname in (${APP_ROLE}, ${SYSTEM_ROLE})`.execute(
    kysely,
  );
  const missing = [APP_ROLE, SYSTEM_ROLE].filter((role) => !rows.some(({ name }) => name === role));
  if (missing.length > 0)
    return fail(
      `The ${missing.length === 1 ? 'role' : 'roles'} ${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} not there.`,
      'Run the migrations (node apps/migrate/dist/main.js): they make both, and admit the logins in MIGRATE_GRANT_TO.',
    );
  for (const { schema } of SERVICE_ROWS) await requirePlainLogin(kysely, schema);
  return ok(`The login ${rows[0]?.login} acts as ${APP_ROLE} and ${SYSTEM_ROLE}, and has no right to pass them by.`);
};
