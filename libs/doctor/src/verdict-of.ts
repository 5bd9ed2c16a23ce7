import { CodedError } from '@postmaster/contracts';
import { fail, type Verdict } from './finding.js';

/** What an error means to whoever has to mend it. Coded ones say so themselves. */
export const verdictOf = (error: unknown): Verdict => {
  if (error instanceof CodedError) return fail(error.message, error.next);
  const { code, message } = factsOf(error);
  const known = code === undefined ? undefined : MEANINGS[code];
  const where = code !== undefined && message.includes(code) ? ` (${message})` : code ? ` (${code}: ${message})` : '';
  if (known) return fail(`${known[0]}${where}.`, known[1]);
  if (WORDS.test(message)) return fail(`${message}.`, MEANINGS.ETIMEDOUT![1]);
  return fail(`${message.replace(/\.$/, '')}${code && !message.includes(code) ? ` (${code})` : ''}.`, UNKNOWN);
};

/** Of sockets, names, files and Postgres. */
const MEANINGS: Record<string, readonly [said: string, next: string]> = {
  ECONNREFUSED: ['Nothing listens there', 'Start it, or correct its address.'],
  ECONNRESET: ['The connection was broken off', 'See its log; a proxy or TLS in between may refuse.'],
  ENOTFOUND: ['The name is not known', 'Correct the address; inside a cluster names end in .<namespace>.svc.'],
  EAI_AGAIN: ['The name can not be looked up', 'See whether names are resolved here at all.'],
  ETIMEDOUT: ['It does not answer', 'See whether it runs, and whether a firewall or network policy is in between.'],
  EHOSTUNREACH: [
    'There is no way to it',
    'See whether it runs, and whether a firewall or network policy is in between.',
  ],
  ENETUNREACH: [
    'There is no way to it',
    'See whether it runs, and whether a firewall or network policy is in between.',
  ],
  ENOENT: ['The file is not there', 'Correct its path.'],
  EACCES: ['This user may not read it', 'Give this user the right, or run as the user of the services.'],
  '28P01': ['The password is refused', 'Correct the password in DATABASE_URL.'],
  '28000': ['The login is refused', 'Correct the login in DATABASE_URL, or admit it in pg_hba.conf.'],
  '3D000': ['There is no such database', 'Correct the database in DATABASE_URL, or create it.'],
  '42501': ['The login lacks a right', 'Run the migrations, and name the login in MIGRATE_GRANT_TO.'],
  '53300': ['All connections are taken', 'Raise max_connections, or lower pools and replicas (docs/operations.md).'],
  '57P03': ['Postgres is starting or stopping', 'Try again shortly.'],
};
/** Of pg's pool and client, which give these no code. */
const WORDS = /connection (terminated|error)|timeout exceeded when trying to connect/i;
const UNKNOWN = 'Correct what the message names.';

/** By what it has and not by its class: an error of the runtime's own may be of another realm's. */
const factsOf = (error: unknown): { code?: string; message: string } => {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const { code, message, errors, cause } = error as Record<'code' | 'message' | 'errors' | 'cause', unknown>;
  const first: unknown = Array.isArray(errors) && errors.length > 0 ? errors[0] : undefined; // both of localhost's addresses
  if (first !== undefined) return factsOf(first);
  if (typeof code !== 'string' && typeof cause === 'object' && cause !== null) return factsOf(cause);
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : 'unknown',
  };
};
