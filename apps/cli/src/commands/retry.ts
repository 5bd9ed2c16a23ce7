import type { ExitCode } from '../exit-codes.js';
import { followJob, jobResult } from '../follow-job.js';
import type { Session } from '../session.js';
import { chosenDocuments } from './chosen-documents.js';
import { type AddCommand, finish } from './command.js';
import { type FilterOptions, filterOf, withFilterOptions } from './documents.js';

interface Options extends FilterOptions {
  json?: boolean;
}

export const addRetry: AddCommand = (program, run) => {
  const command = program
    .command('retry')
    .description('Try again what failed in documents, once its reason is gone.')
    .argument('[id...]', 'as `postmaster documents` gives them');
  finish(withFilterOptions(command), ['retry 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11', 'retry --status failed']).action(
    (ids: string[], options: Options) => run(options, (session) => runRetry(session, ids, options)),
  );
};

const runRetry = async (session: Session, ids: string[], options: Options): Promise<ExitCode> => {
  const client = await session.client();
  const { filter } = await chosenDocuments(client, ids, filterOf(options));
  const job = await followJob(session, client, await client.beginJob('retryDocuments', filter));
  return jobResult(session, job, 'given out anew; `postmaster documents` shows how far they are');
};
