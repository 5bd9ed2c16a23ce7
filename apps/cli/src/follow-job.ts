import type { Client } from './client/client.js';
import type { Job } from './client/shapes.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { followRun } from './follow-run.js';
import type { Session } from './session.js';
import { count } from './terminal/figures.js';
import { oneLine } from './terminal/printable.js';

/** Looks at a job until it is done; a stop leaves it to the server. */
export const followJob = (session: Session, client: Client, begun: Job): Promise<Job> =>
  followRun(session, begun, {
    look: (id) => client.job(id),
    ended: ({ status }) => status === 'DONE',
    progress: ({ done, failed, total }) => ({
      fraction: total > 0 ? (done + failed) / total : 0,
      facts: `${done + failed}/${count(total, 'document')}`,
    }),
  });

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
