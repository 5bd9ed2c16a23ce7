import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@postmaster/contracts';
import type { ModelService } from '../model-service.js';
import type { FromThread, Reply, Task, ThreadData, ToThread } from './onnx-messages.js';

export interface Job {
  task: Task;
  settle(reply: Reply): void;
  fail(error: CodedError): void;
}

/** A worker thread with its own session; it answers its jobs in order. */
export interface OnnxThread {
  readonly inFlight: number;
  give(job: Job): void;
  /** For when its control says stop: resolves when it has ended, after the text that it is at. */
  close(): Promise<void>;
}

export interface ThreadEvents {
  /** A job was answered: there is room for another. */
  freed(): void;
  /** It ended otherwise than by `close`, and the jobs it had were failed with its service's code. */
  died(): void;
}

/** Node runs threads from built files only: beside this one, or from the source folder the one that was built of it. */
export const workerEntry = (): URL => {
  const beside = new URL('./onnx-worker.js', import.meta.url);
  if (existsSync(beside)) return beside;
  const built = new URL('../../dist/onnx/onnx-worker.js', import.meta.url);
  if (existsSync(built)) return built;
  throw new Error('The worker of the models in this process is not built: run "npm run build" first.');
};

/** Starts a thread and resolves once its model is loaded; rejects with the service's code where that fails. */
export const startThread = (
  entry: URL,
  data: ThreadData,
  service: ModelService,
  events: ThreadEvents,
): Promise<OnnxThread> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(entry, { workerData: data, execArgv: [] }); // no loader or condition of its parent's
    const jobs: Job[] = [];
    let state: 'loading' | 'ready' | 'closing' = 'loading';
    let why = 'it ended by itself';
    const ended = new Promise((end) => worker.once('exit', end));
    const thread: OnnxThread = {
      get inFlight() {
        return jobs.length;
      },
      give: (job) => {
        jobs.push(job);
        worker.postMessage(job.task);
      },
      close: async () => {
        state = 'closing';
        why = 'it was closed';
        worker.postMessage('wake' satisfies ToThread);
        await ended;
      },
    };
    worker.on('message', (message: FromThread) => {
      if (message === 'ready') {
        state = 'ready';
        resolve(thread);
        return;
      }
      jobs.shift()?.settle(message);
      events.freed();
    });
    worker.on('error', (error) => (why = error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => {
      const error = new CodedError(service.unreachable, `A thread of the ${service.name} is gone: ${why}.`, {
        next: 'Try again: it is replaced by itself. Restart the server if it stays away.',
      });
      for (const job of jobs.splice(0)) job.fail(error);
      if (state === 'loading') reject(error);
      else if (state === 'ready') events.died();
    });
  });
