import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DocumentFilter } from '../client/client.js';
import { type Document, STATUSES } from '../client/shapes.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { count } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { table } from '../terminal/table.js';
import { type AddCommand, finish, several, wholeNumber } from './command.js';

export interface FilterOptions {
  status?: string[];
  collection?: string;
}

const SEEN = STATUSES.filter((status) => status !== 'DELETED'); // those are not listed any more
const NAMES = SEEN.join(', ').toLowerCase();

const statusOption = (): Option =>
  new Option('-s, --status <status>', `only those that are ${NAMES}; may be repeated`).argParser(
    (text: string, before: string[] | undefined) => {
      const found = SEEN.find((status) => status === text.toUpperCase());
      if (!found) throw new InvalidArgumentError(`It should be one of ${NAMES}.`);
      return several(found, before);
    },
  );

export const withFilterOptions = (command: Command): Command =>
  command.addOption(statusOption()).option('-c, --collection <name>', 'only those of this collection');

/** Every document, said so on purpose: an empty filter is refused. */
export const everyDocument = (): DocumentFilter => ({ status: SEEN });

export const filterOf = ({ status, collection }: FilterOptions): DocumentFilter => ({ status, collection });

interface Options extends FilterOptions {
  title?: string;
  n: number;
  after?: string;
  json?: boolean;
}

export const addDocuments: AddCommand = (program, run) => {
  const command = program
    .command('documents')
    .alias('ls')
    .description('The documents, newest first, and how far each has come.')
    .option('-t, --title <words>', 'only those whose title holds this, in any case')
    .option('-n <count>', 'how many', wholeNumber(1, 100), 20)
    .option('--after <cursor>', 'go on after a page');
  finish(withFilterOptions(command), [
    'documents',
    'documents --status failed',
    'documents --collection manuals -n 100',
    "documents --json | jq -r '.documents[].id'",
  ]).action((options: Options) => run(options, (session) => runDocuments(session, options)));
};

const runDocuments = async (session: Session, options: Options): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const filter = { ...filterOf(options), titleContains: options.title };
  const { nodes, totalCount, pageInfo } = await client.documents(filter, options.n, options.after);
  const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  screen.result({ documents: nodes, total: totalCount, next }, () => documentsTable(nodes, screen.columns));
  if (nodes.length === 0)
    screen.remark(totalCount === 0 ? 'There are none; `postmaster ingest PATH` adds some.' : 'That is all.');
  else if (next) screen.remark(`${nodes.length} of ${count(totalCount, 'document')}; go on with --after ${next}`);
  return EXIT.ok;
};

export const documentsTable = (documents: readonly Document[], columns: number | undefined): string =>
  documents.length === 0
    ? ''
    : table(
        [
          { title: 'ID' },
          { title: 'STATUS' },
          { title: 'READY', right: true },
          { title: 'ADDED' },
          { title: 'TITLE', shrinks: true },
        ],
        documents.map(({ id, status, progress, addedAt, title, failure, degraded }) => [
          id,
          failure ? failure.code : degraded.length > 0 ? `${status}!` : status,
          `${progress.ready}/${progress.total}`,
          addedAt.slice(0, 16).replace('T', ' '),
          oneLine(title),
        ]),
        columns,
      );
