import { hkdfSync } from 'node:crypto';
import { type Identity, type IdentitySeal, identitySeal } from '@postmaster/contracts';

export const SESSION_COOKIE = 'postmaster_session';
export const SESSION_SECONDS = 12 * 3600;

/** Browser sessions are sealed by a secret of their own: a cookie is no internal token, nor the other way round. */
export const sessionSeal = (secret: Uint8Array): IdentitySeal =>
  identitySeal(new Uint8Array(hkdfSync('sha256', secret, '', 'postmaster-session', 32)), SESSION_SECONDS);

const BY_KEY = 'session-of-key:';

/** A session that began with a key lasts only while the key does, so it carries the key's hash. */
export const sessionOfKey = (identity: Identity, keyHash: string): Identity => ({
  ...identity,
  subject: `${BY_KEY}${keyHash}`,
});

export const keyHashOf = (session: Identity): string | undefined =>
  session.subject.startsWith(BY_KEY) ? session.subject.slice(BY_KEY.length) : undefined;

/** `secure` where the server is reached over https. */
export const sessionCookie = (value: string, secure: boolean, maxAge = SESSION_SECONDS): string =>
  `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;

export const sessionIn = (cookies: string | undefined): string | undefined => {
  for (const pair of cookies?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=');
    if (name === SESSION_COOKIE && value) return value;
  }
  return undefined;
};
