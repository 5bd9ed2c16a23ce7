import { describe, expect, it } from 'vitest';
import { WriteQueue } from './write-queue.js';

const recording = (most = 10, fails: (items: readonly string[]) => boolean = () => false) => {
  const writes: string[] = [];
  let writing = 0;
  const queue = new WriteQueue<string>(async (items) => {
    if (++writing > 1) throw new Error('two writes at once');
    await new Promise(setImmediate);
    writing--;
    if (fails(items)) throw new Error(`refused ${items.join('')}`);
    writes.push(items.join(''));
  }, most);
  return { queue, writes };
};

describe('a write queue', () => {
  it('writes what waits next to each other in one go, in its order', async () => {
    const { queue, writes } = recording();
    await Promise.all(['a', 'b', 'c'].map((item) => queue.add([item])));
    expect(writes).toEqual(['a', 'bc']);
  });

  it('writes no more in one go than fits, unless one call brings more', async () => {
    const { queue, writes } = recording(2);
    await Promise.all([['a'], ['b'], ['c', 'd', 'e'], ['f'], ['g']].map((items) => queue.add(items)));
    expect(writes).toEqual(['a', 'b', 'cde', 'fg']);
  });

  it('runs other work in its place, with no write beside it', async () => {
    const { queue, writes } = recording();
    const work = async () => writes.push('work');
    await Promise.all([queue.add(['a']), queue.add(['b']), queue.run(work), queue.add(['c'])]);
    expect(writes).toEqual(['a', 'b', 'work', 'c']);
  });

  it('fails nobody for a neighbour', async () => {
    const { queue, writes } = recording(10, (items) => items.includes('bad'));
    const outcomes = await Promise.allSettled([['a'], ['b'], ['bad'], ['c']].map((items) => queue.add(items)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(writes.join('')).toBe('abc');
  });

  it('is idle when everything is written, and starts again after that', async () => {
    const { queue, writes } = recording();
    void queue.add(['a']);
    void queue.add(['b']);
    await queue.idle();
    expect(writes).toEqual(['a', 'b']);
    await queue.add(['c']);
    expect(writes).toHaveLength(3);
  });
});
