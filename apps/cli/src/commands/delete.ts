import { EXIT, type ExitCode } from '../exit-codes.js';
import { followJob, jobResult } from '../follow-job.js';
import type { Session } from '../session.js';
import { askYes } from '../terminal/ask-yes.js';
import { count } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { type Chosen, chosenDocuments } from './chosen-documents.js';
import { type AddCommand, finish } from './command.js';
import { type FilterOptions, withFilterOptions } from './documents.js';

interface Options extends FilterOptions {
  yes?: boolean;
  json?: boolean;
}

const SHOWN = 10;

export const addDelete: AddCommand = (program, run) => {
  const command = program
    .command('delete')
    .alias('rm')
    .description('Delete documents everywhere: bytes, text, facets and vectors. There is no way back.')
    .argument('[id...]', 'as `postmaster documents` gives them')
    .option('-y, --yes', 'do not ask');
  finish(withFilterOptions(command), [
    'delete 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11',
    'delete --collection drafts',
    'delete --status failed --yes',
  ]).action((ids: string[], options: Options) => run(options, (session) => runDelete(session, ids, options)));
};

const runDelete = async (session: Session, ids: string[], options: Options): Promise<ExitCode> => {
  const client = await session.client();
  const chosen = await chosenDocuments(client, ids, options);
  if (!options.yes && !(await askYes(session.surroundings, question(chosen)))) {
    session.screen.result({ deleted: 0 }, () => 'Nothing was deleted.');
    return EXIT.failed;
  }
  const job = await followJob(session, client, await client.beginJob('deleteDocuments', chosen.filter));
  return jobResult(session, job, 'deleted');
};

const question = ({ total, documents }: Chosen): string => {
  const shown = documents.slice(0, SHOWN).map(({ title }) => `  ${oneLine(title)}`);
  const more = total > shown.length ? [`  and ${count(total - shown.length, 'other')}`] : [];
  return `${[...shown, ...more].join('\n')}\nDelete ${count(total, 'document')}?`;
};
