import { describe, expect, it } from 'vitest';
import { JobQueues } from './job-queues.js';
import type { Job } from './onnx-thread.js';

const passages = (name: string, count: number): Job[] =>
  Array.from({ length: count }, (_, at) => ({
    task: { kind: 'passage', text: `${name} ${at}` },
    settle: () => {},
    fail: () => {},
  }));

const taken = (queues: JobQueues, most: number): string[] =>
  Array.from({ length: most }, () => queues.forPassageThread(true)?.task.text ?? '-');

describe('what waits for the threads of an encoder', () => {
  it('goes ahead where its call has few passages, so that a check of facets never waits for a folder', () => {
    const queues = new JobQueues();
    queues.add(passages('folder', 40));
    queues.add(passages('check', 2));
    expect(taken(queues, 4)).toEqual(['check 0', 'check 1', 'folder 0', 'folder 1']);
  });

  it('comes to its turn in a call with many, however many small calls there are', () => {
    const queues = new JobQueues();
    queues.add(passages('folder', 40));
    for (const name of ['a', 'b', 'c']) queues.add(passages(name, 3));
    expect(taken(queues, 9).map((text) => text.split(' ')[0])).toEqual(['a', 'a', 'a', 'folder', 'b', 'b', 'b', 'folder', 'c']);
  });

  it('keeps its order within a call, and is gone when it is taken back', () => {
    const queues = new JobQueues();
    const [first, second] = [passages('first', 20), passages('second', 20)];
    queues.add(first);
    queues.add(second);
    queues.remove(first.slice(1));
    expect(taken(queues, 3)).toEqual(['first 0', 'second 0', 'second 1']);
  });
});
