import { describe, expect, it } from 'vitest';
import type { ChatServer } from './chat-server.js';
import { type FellBack, modelChain } from './model-chain.js';
import { type FailureKind, ModelFailure } from './model-failure.js';

const serverOf = (id: string): ChatServer => ({
  ...{ id, address: `http://${id}`, ways: ['text'] },
  window: async () => undefined,
  ask: () => Promise.reject(new Error('not asked here')),
  stream: () => Promise.reject(new Error('not asked here')),
});

const chainOf = () => {
  const clock = { now: 0 };
  const fell: FellBack[] = [];
  const chain = modelChain([serverOf('first'), serverOf('second')], {
    now: () => clock.now,
    onFallback: (one) => fell.push(one),
  });
  const asked: string[] = [];
  /** Of one call where these servers fail so; gives who answered. */
  const call = (failing: Partial<Record<string, FailureKind>> = {}) =>
    chain.first(async ({ id }) => {
      asked.push(id);
      const kind = failing[id];
      if (kind) throw new ModelFailure(kind, `${id} failed.`);
      return id;
    });
  return { call, asked, fell, clock };
};

describe('a chain of models', () => {
  it('asks the first one alone while it answers', async () => {
    const { call, asked, fell } = chainOf();
    expect(await call()).toBe('first');
    expect([asked, fell]).toEqual([['first'], []]);
  });

  it.each(['busy', 'down', 'late', 'refused', 'unable', 'malformed', 'declined', 'long'] as const)(
    'asks the next one where one fails as %s, and says so',
    async (why) => {
      const { call, fell } = chainOf();
      expect(await call({ first: why })).toBe('second');
      expect(fell).toEqual([{ from: 'first', to: 'second', why }]);
    },
  );

  it('leaves one that was out twice alone for a while, then tries it with one call', async () => {
    const { call, asked, fell, clock } = chainOf();
    const out = { first: 'down' } as const;
    for (let calls = 0; calls < 4; calls++) await call(out);
    expect(asked).toEqual(['first', 'second', 'first', 'second', 'second', 'second']);
    expect(fell.map(({ why }) => why)).toEqual(['down', 'down', 'skipped', 'skipped']);
    clock.now = 30_000;
    asked.length = 0;
    await Promise.all([call(out), call(out)]);
    expect(asked.filter((id) => id === 'first')).toHaveLength(1);
    clock.now = 60_000;
    expect([await call(), await call()]).toEqual(['first', 'first']);
  });

  it('leaves one that only this text is wrong for no less often asked', async () => {
    const { call, asked } = chainOf();
    for (let calls = 0; calls < 4; calls++) await call({ first: 'declined' });
    expect(asked.filter((id) => id === 'first')).toHaveLength(4);
  });

  it('always asks the last one', async () => {
    const { call, asked } = chainOf();
    for (let calls = 0; calls < 4; calls++) await call({ first: 'down', second: 'down' }).catch(() => {});
    expect(asked.filter((id) => id === 'second')).toHaveLength(4);
  });

  it.each([
    [{ first: 'down', second: 'late' }, 'late'],
    [{ first: 'down', second: 'declined' }, 'declined'],
    [{ first: 'malformed', second: 'down' }, 'malformed'],
  ] as const)('of failures %j throws what is about the text, else the last one', async (failing, kind) => {
    await expect(chainOf().call(failing)).rejects.toMatchObject({ kind });
  });

  it('asks nobody else where the caller left', async () => {
    const { chain, asked } = { chain: modelChain([serverOf('first'), serverOf('second')]), asked: [] as string[] };
    const left = chain.first(({ id }) => {
      asked.push(id);
      return Promise.reject(new Error('enough'));
    });
    await expect(left).rejects.toThrow('enough');
    expect(asked).toEqual(['first']);
  });
});
