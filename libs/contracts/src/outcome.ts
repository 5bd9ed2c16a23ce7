import type { Failure } from './failure.js';

/**
 * How a job or a handler ended.
 * - `done`: its effect is stored.
 * - `skipped`: nothing was to be done, and why.
 * - `retry`: try again after `afterMs`; costs an attempt.
 * - `later`: it can't be done just now, others can; no attempt is spent.
 * - `paused`: what it needs is unreachable; the worker waits, and no attempt is spent.
 * - `hopeless`: another try would end the same; becomes a dead letter.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'skipped'; why: string }
  | { kind: 'retry'; afterMs: number; why: Failure }
  | { kind: 'later'; afterMs: number; why: Failure }
  | { kind: 'paused'; afterMs: number; why: Failure }
  | { kind: 'hopeless'; why: Failure };

export const done = (): Outcome => ({ kind: 'done' });
export const skipped = (why: string): Outcome => ({ kind: 'skipped', why });
export const retry = (afterMs: number, why: Failure): Outcome => ({ kind: 'retry', afterMs, why });
export const later = (afterMs: number, why: Failure): Outcome => ({ kind: 'later', afterMs, why });
export const paused = (afterMs: number, why: Failure): Outcome => ({ kind: 'paused', afterMs, why });
export const hopeless = (why: Failure): Outcome => ({ kind: 'hopeless', why });
