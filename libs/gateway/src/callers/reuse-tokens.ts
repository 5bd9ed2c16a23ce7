import type { IdentitySeal } from '@postmaster/contracts';

/** A token lasts 60 s; it is used for a third of that, and whoever is asked last still has time to believe it. */
const REUSE_MS = 20_000;
const MOST = 1_000;

/** Signing costs more than all else that the gateway does to a token: requests of one caller share theirs for 20 s. */
export const reuseTokens = (seal: IdentitySeal, now: () => number = () => performance.now()): IdentitySeal => {
  const signed = new Map<string, { token: Promise<string>; at: number }>();
  return {
    open: seal.open,
    sign: (identity) => {
      const { tenant, subject, scopes } = identity;
      const who = JSON.stringify([tenant, subject, scopes]);
      const held = signed.get(who);
      if (held && now() - held.at < REUSE_MS) return held.token;
      const token = seal.sign(identity);
      token.catch(() => signed.delete(who));
      signed.delete(who); // to the end: the first is the oldest
      signed.set(who, { token, at: now() });
      const [oldest] = signed.keys();
      if (signed.size > MOST && oldest !== undefined) signed.delete(oldest);
      return token;
    },
  };
};
