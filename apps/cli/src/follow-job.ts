import { setTimeout as sleep } from 'node:timers/promises';
import { Stopped } from './cli-error.js';
import type { Client } from './client/client.js';
import type { Job } from './client/shapes.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { Session } from './session.js';
import { count } from './terminal/figures.js';
import { liveLine } from './terminal/live-line.js';
import { oneLine } from './terminal/printable.js';

const LOOK_EVERY_MS = 500;

/** Looks at a job until it is done; a stop leaves it to the server. */
export const followJob = async ({ surroundings }: Session, client: Client, begun: Job): Promise<Job> => {
  const { signal, stderr } = surroundings;
  const line = liveLine(stderr);
  let job = begun;
  try {
    while (job.status !== 'DONE') {
      line.show(`${job.done + job.failed}/${count(job.total, 'document')}`);
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      job = await client.job(job.id);
    }
    return job;
  } catch (error) {
    throw signal.aborted ? new Stopped(`The server goes on with the job ${job.id}.`) : error;
  } finally {
    line.clear();
  }
};

/** A job's end as the command's result. `did` is what was done: "deleted". */
export const jobResult = ({ screen }: Session, job: Job, did: string): ExitCode => {
  screen.result(job, () =>
    [
      ...job.failures.map(
        ({ document, failure }) =>
          `${screen.paint.red('✗')} ${document}\n  ${failure.code}: ${oneLine(failure.message)}\n  → ${oneLine(failure.next)}`,
      ),
      `${count(job.done, 'document')} ${did}${job.failed > 0 ? `, ${job.failed} failed` : ''}`,
    ].join('\n'),
  );
  return job.failed > 0 ? EXIT.failed : EXIT.ok;
};
