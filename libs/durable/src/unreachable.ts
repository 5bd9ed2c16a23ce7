import { CodedError } from '@postmaster/contracts';

/** Of sockets and of names that can't be resolved. */
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/**
 * Of Postgres: 08 connection, 53 out of resources, 57P01–57P03 shutting or starting; and what ends by itself:
 * 25006 read-only while a standby takes over, 40 deadlock and serialization.
 */
const SQL_STATE = /^(08...|53...|57P0[1-3]|25006|40...)$/;
/** Of pg's pool and client, which give these no code. */
const WORDS = /connection (terminated|error)|timeout exceeded when trying to connect|not queryable|after calling end/i;

/** True where the error says that something needed was out of reach, and nothing about the event itself. */
export const isUnreachable = (error: unknown): boolean => {
  if (error instanceof CodedError) return error.status === 503;
  if (typeof error !== 'object' || error === null) return false;
  // by what it has and not by its class: an error of the runtime's own may be of another realm's
  const { code, message, errors, cause } = error as Record<'code' | 'message' | 'errors' | 'cause', unknown>;
  if (typeof code === 'string' && (SOCKET.has(code) || SQL_STATE.test(code))) return true;
  if (typeof message === 'string' && WORDS.test(message)) return true;
  return (Array.isArray(errors) && errors.some(isUnreachable)) || isUnreachable(cause);
};
