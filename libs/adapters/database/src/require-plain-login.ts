import { CodedError } from '@postmaster/contracts';
import { type Kysely, sql } from 'kysely';
import { APP_ROLE, SYSTEM_ROLE } from './roles.js';

interface Login {
  name: string;
  superuser: boolean;
  bypasses: boolean;
  owns: boolean;
  acts: boolean;
}

/**
 * Throws DATABASE_ROLE where row-level security would not hold for this login (a superuser, BYPASSRLS, the owner of a
 * schema, who may take the policies away), or where it can't act as the roles of services.
 */
export const requirePlainLogin = async (kysely: Kysely<unknown>, schema: string): Promise<void> => {
  const { rows } = await sql<Login>`
    select rolname as name, rolsuper as superuser, rolbypassrls as bypasses,
           exists (select from pg_namespace n where n.nspname = ${schema} and pg_has_role(r.oid, n.nspowner, 'member')) as owns,
           (select count(*) = 2 from pg_roles where rolname in (${APP_ROLE}, ${SYSTEM_ROLE})
              and pg_has_role(r.oid, oid, 'member')) as acts
    from pg_roles r where rolname = session_user`.execute(kysely);
  const login = rows[0];
  const why = !login ? 'is unknown' : wrongWith(login);
  if (why) throw new CodedError('DATABASE_ROLE', `The login "${login?.name ?? ''}" ${why}.`);
};

const wrongWith = ({ superuser, bypasses, owns, acts }: Login): string | undefined => {
  if (superuser) return 'is a superuser, whom row-level security does not bind';
  if (bypasses) return 'has BYPASSRLS, so that row-level security does not bind it';
  if (!acts) return `is no member of both ${APP_ROLE} and ${SYSTEM_ROLE}`;
  return owns ? "owns the service's schema and could take its policies away" : undefined;
};
