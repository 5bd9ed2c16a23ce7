import type { CodedError } from '@postmaster/contracts';
import type { Job } from './onnx-thread.js';

/** Up to this long a text is cut in a few milliseconds, which a query may wait. */
const SHORT_CUT_CHARACTERS = 8_000;

/** The passages of a call that is done at once: somebody waits for them, or a document is this short. */
const FEW_PASSAGES = 16;
/** So many of them go before one of a larger call that waits. */
const MOST_AHEAD = 3;

/** What waits for a thread, and who may take what. */
export class JobQueues {
  private queries: Job[] = [];
  private cuts: Job[] = [];
  /** Of calls with few, which go ahead of those with many; not without end. */
  private few: Job[] = [];
  private many: Job[] = [];
  private aheadInARow = 0;

  /** Of one call. */
  add(jobs: readonly Job[]): void {
    const passages = jobs.length <= FEW_PASSAGES ? this.few : this.many;
    for (const job of jobs) {
      const { kind, text } = job.task;
      if (kind === 'query' || kind === 'pair') this.queries.push(job);
      else if (kind === 'passage') passages.push(job);
      else if (text.length <= SHORT_CUT_CHARACTERS) this.cuts.push(job);
      else this.few.unshift(job); // someone waits for it, who has passages to send afterwards
    }
  }

  forQueryThread(): Job | undefined {
    return this.queries.shift() ?? this.cuts.shift();
  }

  /** Queries go to an idle thread only, lest they wait behind a passage. */
  forPassageThread(idle: boolean): Job | undefined {
    return (idle ? (this.queries.shift() ?? this.cuts.shift()) : undefined) ?? this.nextPassage();
  }

  remove(jobs: readonly Job[]): void {
    const gone = new Set(jobs);
    const stays = (job: Job): boolean => !gone.has(job);
    this.queries = this.queries.filter(stays);
    this.cuts = this.cuts.filter(stays);
    this.few = this.few.filter(stays);
    this.many = this.many.filter(stays);
  }

  failPassages(error: CodedError): void {
    for (const job of [...this.few.splice(0), ...this.many.splice(0)]) job.fail(error);
  }

  failAll(error: CodedError): void {
    this.failPassages(error);
    for (const job of [...this.queries.splice(0), ...this.cuts.splice(0)]) job.fail(error);
  }

  private nextPassage(): Job | undefined {
    const ahead = this.few.length > 0 && (this.many.length === 0 || this.aheadInARow < MOST_AHEAD);
    this.aheadInARow = ahead && this.many.length > 0 ? this.aheadInARow + 1 : 0;
    return (ahead ? this.few : this.many).shift();
  }
}
