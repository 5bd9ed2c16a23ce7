import type { Reply, Task } from './onnx-messages.js';
import type { Job } from './onnx-thread.js';
import type { OnnxThreads } from './onnx-threads.js';

/** The answers to all tasks, in their order. The first failure, or the abort, withdraws what still waits. */
export const askThreads = <T>(
  pool: OnnxThreads,
  tasks: readonly Task[],
  read: (reply: Reply) => T,
  signal?: AbortSignal,
): Promise<T[]> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const found: T[] = [];
    let missing = tasks.length;
    const end = (): void => signal?.removeEventListener('abort', abort);
    const fail = (error: unknown): void => {
      end();
      pool.withdraw(jobs);
      reject(error);
    };
    const abort = (): void => fail(signal?.reason);
    const jobs = tasks.map((task, index): Job => ({
      task,
      fail,
      settle: (reply) => {
        try {
          found[index] = read(reply);
        } catch (error) {
          return fail(error);
        }
        if (--missing > 0) return;
        end();
        resolve(found);
      },
    }));
    if (missing === 0) return resolve([]);
    signal?.addEventListener('abort', abort);
    pool.submit(jobs);
  });
