import { usage } from '../cli-error.js';
import { type DocumentFilter } from '../client/client.js';
import { deleteTenant, readReceipt, readTenantDeletion } from '../client/deletions.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { followDeletion } from '../follow-deletion.js';
import { followJob } from '../follow-job.js';
import type { Session } from '../session.js';
import { askYes } from '../terminal/ask-yes.js';
import { count } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { receiptText } from '../terminal/receipt-text.js';
import { type Chosen, chosenDocuments } from './chosen-documents.js';
import { type AddCommand, finish } from './command.js';
import { everyDocument, type FilterOptions, filterOf, withFilterOptions } from './documents.js';

interface Options extends FilterOptions {
  source?: string;
  sourceType?: string;
  all?: boolean;
  tenant?: string;
  yes?: boolean;
  json?: boolean;
}

const SHOWN = 10;

export const addDelete: AddCommand = (program, run) => {
  const command = program
    .command('delete')
    .alias('rm')
    .description(
      'Delete documents everywhere: bytes, text, facets and vectors; then count what is left. There is no way back.',
    )
    .argument('[id...]', 'as `postmaster documents` gives them')
    .option('--source <id>', 'only what came from there: a path, an address, a Message-ID')
    .option('--source-type <type>', 'only what came from this kind of place: file, url, mail …')
    .option('--all', 'every document')
    .option('--tenant <id>', "a tenant with all that it has; needs the operator's key in POSTMASTER_API_KEY")
    .option('-y, --yes', 'do not ask');
  finish(withFilterOptions(command), [
    'delete 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11',
    'delete --collection drafts',
    'delete --source https://example.com/old --source-type url',
    'delete --all --yes',
    'delete --tenant acme',
  ]).action((ids: string[], options: Options) =>
    run(options, (session) =>
      options.tenant === undefined
        ? runDelete(session, ids, options)
        : runDeleteTenant(session, ids, options.tenant, options),
    ),
  );
};

const namesDocuments = ({ source, sourceType, status, collection }: Options): boolean =>
  [source, sourceType, status, collection].some((value) => value !== undefined);

const wantedOf = (options: Options): DocumentFilter => {
  if (options.all && namesDocuments(options))
    throw usage('--all and filters are both given.', 'Give one or the other.');
  return options.all
    ? everyDocument()
    : { ...filterOf(options), sourceId: options.source, sourceType: options.sourceType };
};

const runDelete = async (session: Session, ids: string[], options: Options): Promise<ExitCode> => {
  const { screen } = session;
  const wanted = wantedOf(options);
  const client = await session.client();
  const chosen = await chosenDocuments(client, ids, wanted);
  if (!(await isMeant(session, options, question(chosen)))) return EXIT.failed;
  const job = await followJob(session, client, await client.beginJob('deleteDocuments', chosen.filter));
  const receipt = await followDeletion(session, () => readReceipt(client, job.id));
  screen.result({ ...job, receipt }, () =>
    [
      ...job.failures.map(({ document, failure }) => `${screen.paint.red('✗')} ${document}  ${failure.code}`),
      `${count(job.done, 'document')} deleted${job.failed > 0 ? `, ${job.failed} failed` : ''}`,
      receiptText(receipt, screen.columns),
    ].join('\n'),
  );
  return job.failed === 0 && receipt.complete ? EXIT.ok : EXIT.failed;
};

const runDeleteTenant = async (
  session: Session,
  ids: string[],
  tenant: string,
  options: Options,
): Promise<ExitCode> => {
  if (ids.length > 0 || options.all || namesDocuments(options))
    throw usage('A tenant and documents are both named.', 'Give one or the other.');
  const client = await session.client();
  if (!(await isMeant(session, options, `Delete the tenant ${oneLine(tenant)} with all that it has?`)))
    return EXIT.failed;
  await deleteTenant(client, tenant);
  const left = await followDeletion(session, () => readTenantDeletion(client, tenant));
  session.screen.result(left, () => receiptText(left, session.screen.columns));
  return left.complete ? EXIT.ok : EXIT.failed;
};

const isMeant = async (session: Session, { yes }: Options, asked: string): Promise<boolean> => {
  if (yes || (await askYes(session.surroundings, asked))) return true;
  session.screen.result({ deleted: 0 }, () => 'Nothing was deleted.');
  return false;
};

const question = ({ total, documents }: Chosen): string => {
  const shown = documents.slice(0, SHOWN).map(({ title }) => `  ${oneLine(title)}`);
  const more = total > shown.length ? [`  and ${count(total - shown.length, 'other')}`] : [];
  return `${[...shown, ...more].join('\n')}\nDelete ${count(total, 'document')}?`;
};
