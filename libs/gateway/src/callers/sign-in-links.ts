import { createHash, randomBytes } from 'node:crypto';

const GOOD_FOR_MS = 10 * 60_000;

export interface SignInLinks {
  /** A code that signs one browser in, within 10 minutes. */
  make(): string;
  /** True once for a code that was made here and is not too old. */
  spend(code: string): boolean;
}

const hashed = (code: string): string => createHash('sha256').update(code).digest('hex');

/** One-time codes, kept in memory as hashes: they end with the process that made them. */
export const signInLinks = (now: () => number = Date.now): SignInLinks => {
  const goodUntil = new Map<string, number>();
  const forgetOld = () => {
    for (const [hash, until] of goodUntil) if (until <= now()) goodUntil.delete(hash);
  };
  return {
    make: () => {
      forgetOld();
      const code = randomBytes(24).toString('base64url');
      goodUntil.set(hashed(code), now() + GOOD_FOR_MS);
      return code;
    },
    spend: (code) => {
      forgetOld();
      return goodUntil.delete(hashed(code));
    },
  };
};
