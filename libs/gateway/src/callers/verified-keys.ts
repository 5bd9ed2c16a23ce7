import { CodedError, type Identity } from '@postmaster/contracts';

export interface VerifiedKeysOptions {
  /** How long an answer is believed without asking again: as long may a revoked key still work. 0: ask each time. */
  freshMs: number;
  /** How old an answer may be that is used while the tenants service can't be asked. */
  staleMs: number;
  maxKeys?: number;
  now?: () => number;
}

/** Whose key it is, by the key's hash; what was answered is remembered for a short time. */
export type VerifiedKeys = (keyHash: string) => Promise<Identity>;

interface Known {
  identity: Identity;
  at: number;
}

/** After a failure the tenants service is left alone this long, where an older answer serves. */
const LEAVE_ALONE_MS = 2_000;

/**
 * Remembers who is behind a key. A refusal is never remembered: a key that was just made works at once, and one that
 * is refused is forgotten. Requests that come together ask once.
 */
export const verifiedKeys = (
  ask: (keyHash: string) => Promise<Identity>,
  { freshMs, staleMs, maxKeys = 10_000, now = () => performance.now() }: VerifiedKeysOptions,
): VerifiedKeys => {
  if (freshMs === 0) return ask;
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<Identity>>();
  let leaveAloneUntil = -Infinity;

  const keep = (keyHash: string, entry: Known): void => {
    known.delete(keyHash); // to the end: the first is the one longest unasked
    known.set(keyHash, entry);
    const [oldest] = known.keys();
    if (known.size > maxKeys && oldest !== undefined) known.delete(oldest);
  };
  const askOnce = (keyHash: string): Promise<Identity> => {
    const underWay = asked.get(keyHash);
    if (underWay) return underWay;
    const at = now(); // a key that is revoked while the answer is on its way was good then
    const answer = ask(keyHash)
      .then((identity) => {
        keep(keyHash, { identity, at });
        return identity;
      })
      .finally(() => asked.delete(keyHash));
    asked.set(keyHash, answer);
    return answer;
  };
  return async (keyHash) => {
    const entry = known.get(keyHash);
    const age = entry ? now() - entry.at : Infinity;
    if (entry && (age < freshMs || (age < staleMs && now() < leaveAloneUntil))) return entry.identity;
    try {
      return await askOnce(keyHash);
    } catch (error) {
      if (!isOutOfReach(error)) known.delete(keyHash);
      else if (entry && now() - entry.at < staleMs) {
        leaveAloneUntil = now() + LEAVE_ALONE_MS;
        return entry.identity;
      }
      throw error;
    }
  };
};

const isOutOfReach = (error: unknown): boolean =>
  error instanceof CodedError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMED_OUT');
