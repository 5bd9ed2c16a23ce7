/** `skipped`: it is not configured, or was not asked for. */
export type State = 'ok' | 'warn' | 'fail' | 'skipped';

/** What is to be said of one thing, and what to do where something is wrong. */
export interface Verdict {
  state: State;
  said: string;
  next?: string;
}

/** A verdict under its name. */
export interface Finding {
  name: string;
  state: State;
  /** A sentence or several, with figures; no secret is in it. */
  said: string;
  /** What to do; null where nothing is wrong. */
  next: string | null;
  /** How long it took to find out, in milliseconds. */
  ms: number;
}

export const ok = (said: string): Verdict => ({ state: 'ok', said });
export const warn = (said: string, next: string): Verdict => ({ state: 'warn', said, next });
export const fail = (said: string, next: string): Verdict => ({ state: 'fail', said, next });
export const skipped = (said: string): Verdict => ({ state: 'skipped', said });

export const isBad = ({ state }: Pick<Finding, 'state'>): boolean => state === 'fail';
