import { APP_ROLE, SYSTEM_ROLE } from '@postmaster/durable';
import { type Kysely, sql } from 'kysely';

/**
 * Makes both roles where they are missing and lets the present login act as them. Roles belong to the whole server:
 * two databases may make them at the same moment.
 */
export const createRoles = async (db: Kysely<unknown>): Promise<void> => {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    await sql`do ${sql.lit(creation(role))}`.execute(db);
  }
};

/** Lets these logins act as both roles; they own nothing and get no right of their own. Throws where one is unknown. */
export const admitLogins = async (db: Kysely<unknown>, logins: readonly string[]): Promise<void> => {
  for (const login of logins)
    await sql`grant ${sql.id(APP_ROLE)}, ${sql.id(SYSTEM_ROLE)} to ${sql.id(login)}`.execute(db);
};

const creation = (role: string): string => `begin
  begin
    if not exists (select from pg_catalog.pg_roles where rolname = '${role}') then
      create role ${role} nologin nosuperuser nocreatedb nocreaterole nobypassrls;
    end if;
  exception when duplicate_object or unique_violation then null;
  end;
  begin
    if not pg_catalog.pg_has_role(session_user, '${role}', 'member') then
      execute format('grant ${role} to %I', session_user);
    end if;
  end;
end`;

export { APP_ROLE, SYSTEM_ROLE };
