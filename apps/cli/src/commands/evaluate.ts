import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EVALUATION_WAYS, EvaluationWay } from '@postmaster/contracts';
import { makeReport, type Measured, reportPage, trecRuns } from '@postmaster/evaluation';
import { InvalidArgumentError } from 'commander';
import { commitOf } from '../evaluate/commit-of.js';
import { measure } from '../evaluate/measure.js';
import { setIn } from '../evaluate/set-in.js';
import { withServer } from '../evaluate/with-server.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { reportText } from '../terminal/report-text.js';
import { type AddCommand, finish, wholeNumber } from './command.js';

interface Options {
  html?: string;
  trec?: string;
  ways?: EvaluationWay[];
  limit?: number;
  seed: number;
  json?: boolean;
}

const MOST = 2 ** 31 - 1;

export const addEvaluate: AddCommand = (program, run) => {
  const command = program
    .command('evaluate')
    .description('Measure how well questions find their paragraphs, by composite retrieval and by the ways it rivals.')
    .argument('<dir>', 'a set: paragraphs.jsonl, queries.jsonl, qrels.tsv and, if recorded, facets.jsonl')
    .option('--html <file>', 'write a report with charts to this file')
    .option('--trec <dir>', 'write a TREC run file per way into this folder')
    .option('--ways <names>', 'only these ways, parted by commas; composite is always among them', waysIn)
    .option('--limit <count>', 'ask so many of the questions, chosen by the seed', wholeNumber(1, MOST))
    .option('--seed <number>', 'of all that is chosen by chance', wholeNumber(0, MOST), 1);
  finish(command, [
    'evaluate sets/contracts',
    "evaluate sets/contracts --json | jq '.ways.composite'",
    'evaluate sets/contracts --html report.html --trec runs',
    'evaluate sets/contracts --ways bm25,hybrid-rrf --limit 200',
  ]).action((dir: string, options: Options) => run(options, (session) => runEvaluate(session, dir, options)));
};

const runEvaluate = async (session: Session, dir: string, options: Options): Promise<ExitCode> => {
  const { surroundings, screen } = session;
  const set = await setIn(resolve(surroundings.cwd, dir));
  const { ways, limit, seed } = options;
  const measured = await withServer(session, (place) => measure(session, place, set, { ways, limit, seed }));
  const report = makeReport(measured, { seed, commit: await commitOf() });
  if (options.html) await writeFile(resolve(surroundings.cwd, options.html), reportPage(report));
  if (options.trec) await writeRuns(resolve(surroundings.cwd, options.trec), measured);
  screen.result(report, () => reportText(report, screen));
  return EXIT.ok;
};

const writeRuns = async (dir: string, measured: Measured): Promise<void> => {
  await mkdir(dir, { recursive: true });
  for (const [name, text] of trecRuns(measured)) await writeFile(join(dir, name), text);
};

const waysIn = (text: string): EvaluationWay[] =>
  text.split(',').map((name) => {
    const way = EvaluationWay.safeParse(name.trim());
    if (way.success) return way.data;
    throw new InvalidArgumentError(`"${name}" is none of ${EVALUATION_WAYS.join(', ')}.`);
  });
