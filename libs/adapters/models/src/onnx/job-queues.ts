import type { CodedError } from '@postmaster/contracts';
import type { Job } from './onnx-thread.js';

/** Up to this long a text is cut in a few milliseconds, which a query may wait. */
const SHORT_CUT_CHARACTERS = 8_000;

/** What waits for a thread, and who may take what. */
export class JobQueues {
  private queries: Job[] = [];
  private cuts: Job[] = [];
  private passages: Job[] = [];

  add(job: Job): void {
    const { kind, text } = job.task;
    if (kind === 'query' || kind === 'pair') this.queries.push(job);
    else if (kind === 'passage') this.passages.push(job);
    else if (text.length <= SHORT_CUT_CHARACTERS) this.cuts.push(job);
    else this.passages.unshift(job); // someone waits for it, who has passages to send afterwards
  }

  forQueryThread(): Job | undefined {
    return this.queries.shift() ?? this.cuts.shift();
  }

  /** Queries go to an idle thread only, lest they wait behind a passage. */
  forPassageThread(idle: boolean): Job | undefined {
    return (idle ? (this.queries.shift() ?? this.cuts.shift()) : undefined) ?? this.passages.shift();
  }

  remove(jobs: readonly Job[]): void {
    const gone = new Set(jobs);
    const stays = (job: Job): boolean => !gone.has(job);
    this.queries = this.queries.filter(stays);
    this.cuts = this.cuts.filter(stays);
    this.passages = this.passages.filter(stays);
  }

  failPassages(error: CodedError): void {
    for (const job of this.passages.splice(0)) job.fail(error);
  }

  failAll(error: CodedError): void {
    this.failPassages(error);
    for (const job of [...this.queries.splice(0), ...this.cuts.splice(0)]) job.fail(error);
  }
}
