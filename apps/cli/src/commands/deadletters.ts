import { type Command, Option } from 'commander';
import {
  type DeadLetterFilter,
  dropDeadLetter,
  listDeadLetters,
  readDeadLetter,
  type Retried,
  retryDeadLetters,
} from '../client/dead-letters.js';
import { CliError, usage } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { askYes } from '../terminal/ask-yes.js';
import { addressOf, deadLetterTable, deadLetterText } from '../terminal/dead-letter-text.js';
import { count } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { warn } from '../terminal/warn.js';
import { type AddCommand, finish, wholeNumber } from './command.js';

interface ListOptions extends DeadLetterFilter {
  json?: boolean;
  limit: number;
  after?: string;
}
interface RetryOptions extends DeadLetterFilter {
  json?: boolean;
  all?: boolean;
}
interface DropOptions {
  json?: boolean;
  yes?: boolean;
}

const SERVICES = ['ingestion', 'enrichment', 'embedding', 'retrieval'];
const RUNBOOK = 'docs/runbooks/DeadLettersGrowing.md';
const EXAMPLE = 'embedding/0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11';
const ADDRESSES = 'as `postmaster deadletters list` gives them: <service>/<id>';

export const addDeadLetters: AddCommand = (program, run) => {
  const group = program
    .command('deadletters')
    .alias('dead-letters')
    .description('What was given up: a job, or an event that a consumer refused. It can be looked at and sent again.');
  const list = withFilter(group.command('list').alias('ls'))
    .description('The newest of them, each with its reason.')
    .option('--limit <count>', 'how many', wholeNumber(1, 100), 20)
    .option('--after <cursor>', 'go on after a page');
  finish(list, ['deadletters list', 'deadletters list --service embedding --limit 100']).action(
    (options: ListOptions) => run(options, (session) => runList(session, options)),
  );
  const show = group
    .command('show')
    .description('One of them with the event, or with what the job is about.')
    .argument('<id>', ADDRESSES);
  finish(show, [`deadletters show ${EXAMPLE}`]).action((id: string, options: { json?: boolean }) =>
    run(options, (session) => runShow(session, id)),
  );
  const retry = withFilter(group.command('retry'))
    .description('Send them again, once their reason is gone. To do it twice has the effect of once.')
    .argument('[id...]', ADDRESSES)
    .option('--all', 'all that the other options leave');
  finish(retry, [
    `deadletters retry ${EXAMPLE}`,
    'deadletters retry --all',
    'deadletters retry --all --name enrichment.make-facets',
  ]).action((ids: string[], options: RetryOptions) => run(options, (session) => runRetry(session, ids, options)));
  const drop = group
    .command('drop')
    .description('Drop what is of no use, such as a message that is no event of ours. There is no way back.')
    .argument('<id...>', ADDRESSES)
    .option('-y, --yes', 'do not ask');
  finish(drop, [`deadletters drop ${EXAMPLE} --yes`]).action((ids: string[], options: DropOptions) =>
    run(options, (session) => runDrop(session, ids, options)),
  );
};

const withFilter = (command: Command): Command =>
  command
    .addOption(new Option('--service <name>', 'only those of this service').choices(SERVICES))
    .addOption(new Option('--source <kind>', 'only jobs, or only events').choices(['job', 'event']))
    .option('--name <name>', 'only those of this kind of job, or of this consumer')
    .option('--document <id>', 'only those of this document')
    .option('--tenant <id>', "only this tenant's; for the operator, who sees all");

const filterOf = ({ service, source, name, document, tenant }: DeadLetterFilter): DeadLetterFilter => ({
  ...{ service, source, name, document, tenant },
});

const runList = async (session: Session, options: ListOptions): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const { deadLetters, next, notices } = await listDeadLetters(client, filterOf(options), options.limit, options.after);
  screen.result({ deadLetters, next, notices }, () => deadLetterTable(deadLetters, screen.columns));
  if (deadLetters.length > 0)
    screen.remark(`Mend the reason, then \`postmaster deadletters retry\`; ${RUNBOOK} tells how.`);
  else screen.remark(notices.length > 0 || options.after ? 'There are none.' : 'There are none: nothing was given up.');
  if (next) screen.remark(`There are more; go on with --after ${next}`);
  warn(screen, notices);
  return EXIT.ok;
};

const runShow = async (session: Session, id: string): Promise<ExitCode> => {
  const letter = await readDeadLetter(await session.client(), checked(id));
  session.screen.result(letter, () => deadLetterText(letter, session.screen.paint));
  return EXIT.ok;
};

const runRetry = async (session: Session, ids: string[], options: RetryOptions): Promise<ExitCode> => {
  const filter = filterOf(options);
  const narrowed = Object.values(filter).some((value) => value !== undefined);
  if (ids.length > 0 && (options.all || narrowed))
    throw usage('Ids and filters are both given.', 'Give one or the other.');
  if (ids.length === 0 && !options.all)
    throw usage('Nothing is named.', 'Give ids, or --all; `postmaster deadletters list` shows what there is.');
  const client = await session.client();
  const own = [...new Set(ids)].map(checked);
  const retried = await retryDeadLetters(client, own.length > 0 ? { ids: own } : { filter });
  session.screen.result(retried, () => retriedText(session, retried));
  if (retried.more) session.screen.remark('The time was up before all were gone through; run it again for the rest.');
  warn(session.screen, retried.notices);
  return retried.failed > 0 || retried.more || retried.notices.length > 0 ? EXIT.failed : EXIT.ok;
};

const retriedText = ({ screen }: Session, { retried, failed, failures }: Retried): string =>
  [
    ...failures.map(
      ({ why, ...letter }) =>
        `${screen.paint.red('✗')} ${addressOf(letter)}\n  ${why.code}: ${oneLine(why.message)}\n  → ${oneLine(why.next)}`,
    ),
    `${count(retried, 'dead letter')} sent again${failed > 0 ? `, ${failed} stay` : ''}`,
  ].join('\n');

const runDrop = async (session: Session, ids: string[], { yes }: DropOptions): Promise<ExitCode> => {
  const { screen, surroundings } = session;
  const own = [...new Set(ids)].map(checked);
  if (!yes && !(await askYes(surroundings, `${own.join('\n')}\nDrop ${count(own.length, 'dead letter')} for good?`))) {
    screen.result({ dropped: 0 }, () => 'Nothing was dropped.');
    return EXIT.failed;
  }
  const client = await session.client();
  const gone: string[] = [];
  for (const id of own)
    await dropDeadLetter(client, id).catch((error: unknown) => {
      if (!(error instanceof CliError && error.code === 'NOT_FOUND')) throw error;
      gone.push(id);
    });
  const dropped = own.length - gone.length;
  screen.result({ dropped, gone }, () =>
    [...gone.map((id) => `There is no dead letter ${id}.`), `${count(dropped, 'dead letter')} dropped`].join('\n'),
  );
  return gone.length > 0 ? EXIT.failed : EXIT.ok;
};

const ADDRESS = new RegExp(`^(${SERVICES.join('|')})/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, 'i');

const checked = (id: string): string => {
  if (ADDRESS.test(id)) return id;
  throw usage(
    `"${oneLine(id)}" is no id of a dead letter.`,
    `They look like ${EXAMPLE}; see \`postmaster deadletters list\`.`,
  );
};
