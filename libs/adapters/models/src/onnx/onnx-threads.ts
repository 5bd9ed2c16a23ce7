import { CodedError } from '@postmaster/contracts';
import type { ModelService } from '../model-service.js';
import { JobQueues } from './job-queues.js';
import type { ModelSpec } from './onnx-messages.js';
import { type Job, type OnnxThread, startThread } from './onnx-thread.js';
import { stopThreads, type ThreadControl, waitForNativeCode } from './thread-control.js';

/** One runs and one waits, so that a thread never idles for the message that brings its next. */
const JOBS_PER_THREAD = 2;
/** More than a text takes on a slow and crowded machine; a process that exits waits no longer for the running ones. */
const LONGEST_TEXT_MS = 2_000;

type Place = OnnxThread | 'starting' | 'down';

/**
 * `count` threads for passages, and one more for queries; pairs of question and text go to whichever is idle. A
 * thread that died is replaced. One that can't be started is tried again at the next `submit`; what only it could do
 * fails with its service's code meanwhile.
 */
export class OnnxThreads {
  private readonly places: Place[];
  private readonly waiting = new JobQueues();
  private readonly opening = new Set<Promise<void>>();
  private closed = false;

  constructor(
    private readonly entry: URL,
    private readonly control: ThreadControl,
    count: number,
    private readonly model: ModelSpec,
    private readonly service: ModelService,
  ) {
    this.places = Array.from({ length: count + 1 }, () => 'down');
  }

  /** Resolves once every thread is ready. */
  async start(): Promise<void> {
    process.once('exit', this.beforeExit);
    await Promise.all(this.places.map((_, index) => this.open(index)));
  }

  /** Of one call: the passages of a call with few go before those of one with many. */
  submit(jobs: readonly Job[]): void {
    this.waiting.add(jobs);
    if (this.closed) return this.waiting.failAll(this.wasClosed());
    this.places.forEach((place, index) => place === 'down' && this.reopen(index));
    this.feed();
  }

  /** Takes back the jobs that no thread has yet. */
  withdraw(jobs: readonly Job[]): void {
    this.waiting.remove(jobs);
  }

  /** Ends each thread after the text that it is at; every other job fails. */
  async close(): Promise<void> {
    this.closed = true;
    stopThreads(this.control);
    this.waiting.failAll(this.wasClosed());
    await Promise.all(this.places.map((place) => (typeof place === 'string' ? undefined : place.close())));
    await Promise.allSettled(this.opening);
    process.off('exit', this.beforeExit);
  }

  private readonly beforeExit = (): void => {
    stopThreads(this.control);
    waitForNativeCode(this.control, LONGEST_TEXT_MS);
  };

  private open(index: number): Promise<void> {
    const opening = this.openThread(index).finally(() => this.opening.delete(opening));
    this.opening.add(opening);
    return opening;
  }

  private async openThread(index: number): Promise<void> {
    this.places[index] = 'starting';
    try {
      const thread = await startThread(
        this.entry,
        { control: this.control, bulk: index > 0 && this.model.kind === 'encoder', model: this.model },
        this.service,
        {
          freed: () => this.feed(),
          died: () => this.reopen(index),
        },
      );
      if (this.closed) return await thread.close();
      this.places[index] = thread;
      this.feed();
    } catch (error) {
      this.places[index] = 'down';
      if (error instanceof CodedError) this.failStranded(error);
      throw error;
    }
  }

  private reopen(index: number): void {
    this.open(index).catch(() => undefined); // whoever waited for it was told
  }

  private failStranded(error: CodedError): void {
    const down = (place: Place): boolean => place === 'down';
    if (this.places.every(down)) this.waiting.failAll(error);
    else if (this.places.slice(1).every(down)) this.waiting.failPassages(error);
  }

  private feed(): void {
    for (let had = 0; had < JOBS_PER_THREAD; had++)
      this.places.forEach((place, index) => {
        if (typeof place === 'string' || place.inFlight !== had) return;
        const job = index === 0 ? this.waiting.forQueryThread() : this.waiting.forPassageThread(had === 0);
        if (job) place.give(job);
      });
  }

  private wasClosed(): CodedError {
    return new CodedError(this.service.unreachable, `The ${this.service.name} was closed.`, { next: 'Restart the server.' });
  }
}
