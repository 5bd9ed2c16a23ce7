import { serverError } from '../client/read-answer.js';
import { beginReconcile, readReconcile, type Reconciliation } from '../client/upkeep.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { followRun } from '../follow-run.js';
import type { Session } from '../session.js';
import { count } from '../terminal/figures.js';
import { type AddCommand, finish } from './command.js';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

export const addReconcile: AddCommand = (program, run) => {
  const command = program
    .command('reconcile')
    .description('Compare the rows of all paragraphs with their vectors, and mend what is missing, orphaned or stale.')
    .option('-n, --dry-run', 'count what differs and change nothing');
  finish(command, ['reconcile --dry-run', 'reconcile', "reconcile --json | jq '.missing'"]).action((options: Options) =>
    run(options, (session) => runReconcile(session, options)),
  );
};

const runReconcile = async (session: Session, { dryRun = false }: Options): Promise<ExitCode> => {
  const client = await session.client();
  const done = await followRun(session, await beginReconcile(client, dryRun), {
    look: (id) => readReconcile(client, id),
    ended: ({ status }) => status !== 'RUNNING',
    progress: ({ looked, total }) => ({
      fraction: total === 0 ? 1 : Math.min(1, looked / total),
      facts: `${looked}/${count(total, 'paragraph')}`,
    }),
  });
  if (done.status === 'FAILED' && done.fault) throw serverError(done.fault.code, done.fault.message, done.fault.next);
  session.screen.result(done, () => reconciledText(done));
  return dryRun || left(done) === 0 ? EXIT.ok : EXIT.failed;
};

const left = ({ missing, orphaned, stale, mended }: Reconciliation): number => missing + orphaned + stale - mended;

const reconciledText = (run: Reconciliation): string => {
  const { looked, missing, orphaned, stale, mended, dryRun } = run;
  const found = `${count(looked, 'paragraph')} compared: ${missing} missing, ${orphaned} orphaned, ${stale} stale`;
  if (missing + orphaned + stale === 0) return found;
  if (dryRun) return `${found}; nothing was changed`;
  const rest = left(run);
  return `${found}; ${mended} mended${rest > 0 ? `, ${rest} left: the log of the embedding service says why` : ''}`;
};
