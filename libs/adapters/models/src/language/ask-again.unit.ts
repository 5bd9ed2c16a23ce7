import { describe, expect, it } from 'vitest';
import { ConstantBackoff, type IRetryBackoffContext } from 'cockatiel';
import { askAgain, AtLeastRetryAfter } from './ask-again.js';
import { type FailureKind, ModelFailure } from './model-failure.js';

const failing = (...kinds: FailureKind[]) => {
  const state = { asked: 0 };
  const ask = async () => {
    const kind = kinds[state.asked++];
    if (kind) throw new ModelFailure(kind, `a ${kind} model`);
    return 'answer';
  };
  return { state, ask };
};
const retried = askAgain({ attempts: 2, malformed: 1, initialDelayMs: 0 });

describe('askAgain', () => {
  it('counts malformed replies and outages each by itself', async () => {
    const { ask, state } = failing('busy', 'down', 'malformed', 'down', 'busy');
    expect(await retried(ask)).toBe('answer');
    expect(state.asked).toBe(6);
  });

  it.each([
    ['busy', 3],
    ['down', 3],
    ['malformed', 2],
    ['late', 1],
    ['refused', 1],
    ['unable', 1],
  ] as const)('asks a model that stays %s %i times', async (kind, times) => {
    const { ask, state } = failing(kind, kind, kind, kind, kind);
    await expect(retried(ask)).rejects.toMatchObject({ kind });
    expect(state.asked).toBe(times);
  });

  it('asks nothing for a caller who has left', async () => {
    const { ask, state } = failing();
    await expect(retried(ask, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(state.asked).toBe(0);
  });

  it('lets a caller leave during a wait', async () => {
    const caller = new AbortController();
    const slow = askAgain({ attempts: 1, malformed: 0, initialDelayMs: 0 });
    const ask = async () => {
      setTimeout(() => caller.abort(new Error('left')), 1);
      throw new ModelFailure('busy', 'come back later', { retryAfter: 0.2 });
    };
    await expect(slow(ask, caller.signal)).rejects.toThrow('left');
  });
});

describe('AtLeastRetryAfter', () => {
  const after = (error: Error): IRetryBackoffContext<unknown> => ({
    attempt: 1,
    signal: new AbortController().signal,
    result: { error },
  });
  const waits = new AtLeastRetryAfter(new ConstantBackoff(100));

  it('waits as the server asks, where that is longer than the backoff', () => {
    expect(waits.next(after(new ModelFailure('busy', '', { retryAfter: 7 }))).duration).toBe(7000);
    expect(waits.next(after(new ModelFailure('busy', '', { retryAfter: 0.01 }))).duration).toBe(100);
    expect(waits.next(after(new ModelFailure('down', ''))).duration).toBe(100);
  });

  it('goes back to the backoff when the server asks for nothing more', () => {
    const first = waits.next(after(new ModelFailure('busy', '', { retryAfter: 7 })));
    expect(first.next(after(new ModelFailure('down', ''))).duration).toBe(100);
  });
});
