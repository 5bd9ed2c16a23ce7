import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Option } from 'commander';
import { CliError, usage } from '../cli-error.js';
import type { Client } from '../client/client.js';
import { exportedLines, importLines, type ImportedEntities, listEntities, showEntity } from '../client/entities.js';
import { errorCodeOf } from '../error-code-of.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { entitiesTable, entityText } from '../terminal/entity-text.js';
import { count } from '../terminal/figures.js';
import { type AddCommand, finish, wholeNumber } from './command.js';

interface ListOptions {
  search?: string;
  type?: string;
  n: number;
  after?: string;
  json?: boolean;
}

const TYPES = ['person', 'organisation', 'place', 'product', 'code', 'date', 'other'];
/** What one call brings of a file. */
const [LINES, CHARACTERS] = [500, 200_000];
const REFUSED_SHOWN = 20;

export const addEntities: AddCommand = (program, run) => {
  const group = program
    .command('entities')
    .description('What documents name: persons, organisations, places, products, codes and dates, as a graph.');
  const list = group
    .command('list')
    .alias('ls')
    .description('In the order of the alphabet.')
    .option('-s, --search <name>', 'only those of which a name has this in it')
    .addOption(new Option('--type <type>', 'only those of a type').choices(TYPES))
    .option('-n <count>', 'how many', wholeNumber(1, 100), 20)
    .option('--after <cursor>', 'go on after a page');
  finish(list, ['entities list', 'entities list --type person -s vestergaard']).action((options: ListOptions) =>
    run(options, (session) => runList(session, options)),
  );
  const show = group
    .command('show')
    .description('Its names, what was said of it, the paragraphs that name it and what stands beside it.')
    .argument('<entity>', 'an id, or a name')
    .option('-n <count>', 'how many paragraphs and neighbours', wholeNumber(1, 100), 5);
  finish(show, ['entities show "Danske Bank"']).action((which: string, options: { n: number; json?: boolean }) =>
    run(options, (session) => runShow(session, which, options.n)),
  );
  const write = group
    .command('export')
    .description('Write the graph to a new file, as the memory server of the Model Context Protocol keeps one.')
    .argument('<file>', 'lines of JSON: entities, then relations');
  finish(write, ['entities export memory.jsonl']).action((file: string, options: { json?: boolean }) =>
    run(options, (session) => runExport(session, file)),
  );
  const read = group
    .command('import')
    .description('Take in such a file. What it gives stays, whatever documents say; to do it twice changes nothing.')
    .argument('<file>', 'lines of JSON: entities, then relations');
  finish(read, ['entities import memory.jsonl']).action((file: string, options: { json?: boolean }) =>
    run(options, (session) => runImport(session, file)),
  );
};

const runList = async (session: Session, { search, type, n, after }: ListOptions): Promise<ExitCode> => {
  const { screen } = session;
  const asked = { search, type: type?.toUpperCase(), first: n, after };
  const { nodes, totalCount, pageInfo } = await listEntities(await session.client(), asked);
  const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  screen.result({ entities: nodes, total: totalCount, next }, () => entitiesTable(nodes, screen.columns));
  if (nodes.length === 0) screen.remark('There are none.');
  else if (next)
    screen.remark(`${nodes.length} of ${count(totalCount, 'entity', 'entities')}; go on with --after "${next}"`);
  return EXIT.ok;
};

const runShow = async (session: Session, which: string, first: number): Promise<ExitCode> => {
  const client = await session.client();
  const entity = (await showEntity(client, which, first)) ?? (await showNamed(client, which, first));
  if (!entity)
    throw new CliError(
      'NOT_FOUND',
      `There is no entity "${which}".`,
      'Look for it: `postmaster entities list -s NAME`.',
    );
  session.screen.result(entity, () => entityText(entity, session.screen.paint));
  return EXIT.ok;
};

/** The one of that name, or the only one that has it in a name. */
const showNamed = async (client: Client, name: string, first: number) => {
  const { nodes } = await listEntities(client, { search: name, first: 100 });
  const same = nodes.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  const found = same[0] ?? (nodes.length === 1 ? nodes[0] : undefined);
  return found ? showEntity(client, found.id, first) : null;
};

const runExport = async (session: Session, path: string): Promise<ExitCode> => {
  const client = await session.client();
  const file = await open(path, 'wx').catch((error: unknown) => {
    throw errorCodeOf(error) === 'EEXIST' ? usage(`There is a file ${path} already.`, 'Name a new one.') : error;
  });
  let lines = 0;
  try {
    for await (const some of exportedLines(client)) {
      await file.write(some);
      lines += some.split('\n').length - 1;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  session.screen.result({ file: path, lines }, () => `${count(lines, 'line')} in ${path}`);
  return EXIT.ok;
};

const runImport = async (session: Session, path: string): Promise<ExitCode> => {
  const client = await session.client();
  const total: ImportedEntities = { entities: 0, relations: 0, observations: 0, refused: [] };
  for await (const { lines, first } of batchesOf(path)) {
    const taken = await importLines(client, lines, first);
    for (const part of ['entities', 'relations', 'observations'] as const) total[part] += taken[part];
    total.refused.push(...taken.refused);
  }
  const { entities, relations, observations, refused } = total;
  session.screen.result(total, () =>
    [
      `${count(entities, 'entity', 'entities')}, ${count(relations, 'relation')}, ${count(observations, 'observation')} taken in`,
      ...refused.slice(0, REFUSED_SHOWN).map(({ line, code, message }) => `line ${line}: ${code}: ${message}`),
      ...(refused.length > REFUSED_SHOWN ? [`and ${count(refused.length - REFUSED_SHOWN, 'line')} more`] : []),
    ].join('\n'),
  );
  return refused.length > 0 ? EXIT.failed : EXIT.ok;
};

/** A file's lines, as many together as one call takes, with the number of the first. */
async function* batchesOf(path: string): AsyncGenerator<{ lines: string; first: number }, void, undefined> {
  let batch: string[] = [];
  let [first, characters, at] = [1, 0, 0];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    at++;
    if (batch.length > 0 && (batch.length === LINES || characters + line.length > CHARACTERS)) {
      yield { lines: batch.join('\n'), first };
      [batch, first, characters] = [[], at, 0];
    }
    batch.push(line);
    characters += line.length + 1;
  }
  if (batch.length > 0) yield { lines: batch.join('\n'), first };
}
