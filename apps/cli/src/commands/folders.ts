import { resolve } from 'node:path';
import { usage } from '../cli-error.js';
import type { Client } from '../client/client.js';
import { addFolder, type Folder, listFolders, removeFolder, scanFolder } from '../client/folders.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { askYes } from '../terminal/ask-yes.js';
import { count } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { table } from '../terminal/table.js';
import { type AddCommand, finish, metadataFields, several } from './command.js';

interface AddOptions {
  json?: boolean;
  watch?: boolean;
  reference?: boolean;
  include?: string[];
  exclude?: string[];
  collection?: string;
  metadata?: Record<string, unknown>;
  deleteGone?: boolean;
}
interface RemoveOptions {
  json?: boolean;
  keepDocuments?: boolean;
  yes?: boolean;
}

const FOLDER = 'its path, or its id as `postmaster folders list` gives it';

export const addFolders: AddCommand = (program, run) => {
  const group = program
    .command('folders')
    .description("Folders of the server's machine that are read there, once or whenever something changes in them.");
  const add = group
    .command('add')
    .description('Have a folder read. The operator says below which ones it may lie, by FOLDER_ROOTS.')
    .argument('<path>', 'of a folder on the machine of the server')
    .option('-w, --watch', 'take in what changes from now on')
    .option('-r, --reference', 'store nothing of the content: it is read from the file when it is needed')
    .option('-i, --include <glob>', 'only such files within it; may be repeated', several)
    .option('-x, --exclude <glob>', 'no such files; may be repeated', several)
    .option('-c, --collection <name>', 'put its documents in this collection')
    .option('-m, --metadata <name=value>', 'say this of each of its documents; may be repeated', metadataFields)
    .option('--delete-gone', 'delete the documents of files that are gone, rather than say so of them');
  finish(add, [
    'folders add ~/notes --watch',
    "folders add /srv/archive --watch --reference --include '**/*.pdf' --collection archive",
  ]).action((path: string, options: AddOptions) => run(options, (session) => runAdd(session, path, options)));
  const list = group.command('list').alias('ls').description('The folders, and what became of their files.');
  finish(list, ['folders list', "folders list --json | jq '.folders[].files'"]).action((options: { json?: boolean }) =>
    run(options, runList),
  );
  const scan = group.command('scan').description('Look at a folder now.').argument('<folder>', FOLDER);
  finish(scan, ['folders scan ~/notes']).action((given: string, options: { json?: boolean }) =>
    run(options, (session) => runScan(session, given)),
  );
  const remove = group
    .command('remove')
    .alias('rm')
    .description('Read a folder no longer, and delete its documents. Its files are not touched.')
    .argument('<folder>', FOLDER)
    .option('--keep-documents', 'keep them, which those of a folder that was added with --reference can not be')
    .option('-y, --yes', 'do not ask');
  finish(remove, ['folders remove ~/notes', 'folders remove ~/notes --keep-documents']).action(
    (given: string, options: RemoveOptions) => run(options, (session) => runRemove(session, given, options)),
  );
};

const runAdd = async (session: Session, path: string, options: AddOptions): Promise<ExitCode> => {
  const folder = await addFolder(await session.client(), {
    path: resolve(session.surroundings.cwd, path),
    include: options.include,
    exclude: options.exclude,
    collection: options.collection,
    metadata: options.metadata,
    mode: options.reference ? 'REFERENCE' : 'CONTENT',
    watch: options.watch ?? false,
    onGone: options.deleteGone ? 'DELETE' : 'KEEP',
  });
  session.screen.result(
    folder,
    () => `${oneLine(folder.path)} is being read; \`postmaster folders list\` tells of it.`,
  );
  return EXIT.ok;
};

const runList = async ({ client, screen }: Session): Promise<ExitCode> => {
  const folders = await listFolders(await client());
  screen.result({ folders }, () => foldersTable(folders, screen.columns));
  if (folders.length === 0) screen.remark('There are none; `postmaster folders add PATH` adds one.');
  for (const { path, failure } of folders)
    if (failure) screen.remark(`${oneLine(path)}: ${failure.code}: ${failure.message} ${failure.next}`);
  return folders.some(({ failure }) => failure) ? EXIT.failed : EXIT.ok;
};

const foldersTable = (folders: readonly Folder[], columns: number | undefined): string =>
  folders.length === 0
    ? ''
    : table(
        [
          { title: 'ID' },
          { title: 'MODE' },
          { title: 'READ' },
          { title: 'FILES', right: true },
          { title: 'REFUSED', right: true },
          { title: 'GONE', right: true },
          { title: 'LOOKED AT' },
          { title: 'PATH', shrinks: true },
        ],
        folders.map(({ id, mode, watch, removing, files, scannedAt, path }) => [
          id,
          mode.toLowerCase(),
          removing ? 'leaving' : watch ? 'watched' : 'once',
          String(files.taken),
          String(files.refused),
          String(files.gone),
          scannedAt?.slice(0, 16).replace('T', ' ') ?? 'not yet',
          oneLine(path),
        ]),
        columns,
      );

const runScan = async (session: Session, given: string): Promise<ExitCode> => {
  const client = await session.client();
  const folder = await scanFolder(client, (await chosen(session, client, given)).id);
  session.screen.result(folder, () => `${oneLine(folder.path)} is being looked at.`);
  return EXIT.ok;
};

const runRemove = async (session: Session, given: string, options: RemoveOptions): Promise<ExitCode> => {
  const client = await session.client();
  const { id, path, files } = await chosen(session, client, given);
  const what = `Read ${oneLine(path)} no longer and delete its ${count(files.taken + files.gone, 'document')}?`;
  if (!options.keepDocuments && !options.yes && !(await askYes(session.surroundings, what))) {
    session.screen.result({ removed: false }, () => 'Nothing was done.');
    return EXIT.failed;
  }
  const folder = await removeFolder(client, id, options.keepDocuments ?? false);
  session.screen.result(folder, () => `${oneLine(path)} is read no longer.`);
  return EXIT.ok;
};

const chosen = async ({ surroundings }: Session, client: Client, given: string): Promise<Folder> => {
  const path = resolve(surroundings.cwd, given);
  const folder = (await listFolders(client)).find((one) => one.id === given || one.path === path);
  if (folder) return folder;
  throw usage(`There is no folder "${given}" that is read.`, '`postmaster folders list` shows those that are.');
};
