import { describe, expect, it } from 'vitest';
import { untilEnding } from './until-ending.js';

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
};

describe('items until the ending', () => {
  it('are all of them where nothing ends them', async () => {
    async function* source() {
      yield 1;
      yield 2;
    }
    expect(await all(untilEnding(source(), new AbortController().signal, () => 0))).toEqual([1, 2]);
  });

  it('end with the last word at once, though the source hangs', async () => {
    const ending = new AbortController();
    async function* source() {
      yield 1;
      await new Promise(() => {});
    }
    const items = untilEnding(source(), ending.signal, () => 0);
    expect(await items.next()).toEqual({ done: false, value: 1 });
    const next = items.next();
    ending.abort();
    expect(await next).toEqual({ done: false, value: 0 });
    expect((await items.next()).done).toBe(true);
  });

  it('let go of the source when the reader leaves', async () => {
    let left = false;
    async function* source() {
      try {
        for (;;) yield 1;
      } finally {
        left = true;
      }
    }
    for await (const _ of untilEnding(source(), new AbortController().signal, () => 0)) break;
    expect(left).toBe(true);
  });

  it('pass a failure of the source on', async () => {
    async function* source(): AsyncGenerator<number> {
      throw new Error('broken');
    }
    await expect(all(untilEnding(source(), new AbortController().signal, () => 0))).rejects.toThrow('broken');
  });
});
