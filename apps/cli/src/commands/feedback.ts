import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { z } from 'zod';
import { serverError } from '../client/read-answer.js';
import { usage } from '../cli-error.js';
import { errorCodeOf } from '../error-code-of.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { Failure } from '../client/shapes.js';
import { count } from '../terminal/figures.js';
import { type AddCommand, finish } from './command.js';

interface ExportOptions {
  as: keyof typeof FILES;
  json?: boolean;
}

/** What each form is written to, by the kind of its lines. */
const FILES = {
  set: { paragraph: 'paragraphs.jsonl', facets: 'facets.jsonl', query: 'queries.jsonl', qrel: 'qrels.tsv' },
  pairs: { pair: 'pairs.jsonl' },
} as const satisfies Record<string, Record<string, string>>;

const QRELS_HEADER = 'query\tparagraph\tgrade\n';
const Line = z.looseObject({ kind: z.string() });
const Broken = Failure.extend({ kind: z.literal('error') });
const Qrel = z.object({ query: z.string(), paragraph: z.string(), grade: z.number().int() });

export const addFeedback: AddCommand = (program, run) => {
  const group = program
    .command('feedback')
    .description('What readers said of hits and answers. It moves no search: it is there to measure and to train by.');
  const command = group
    .command('export')
    .description('Write it to files: judged questions for `postmaster evaluate`, or pairs to train an encoder on.')
    .argument('<dir>', 'a folder without those files; it is made where it is missing')
    .addOption(new Option('--as <form>', 'what to write').choices(Object.keys(FILES)).default('set'));
  finish(command, ['feedback export judged', 'feedback export pairs --as pairs']).action(
    (dir: string, options: ExportOptions) => run(options, (session) => runExport(session, dir, options)),
  );
};

const runExport = async (session: Session, dir: string, { as }: ExportOptions): Promise<ExitCode> => {
  const client = await session.client();
  const names: Record<string, string> = FILES[as];
  const counts = Object.fromEntries(Object.keys(names).map((kind) => [kind, 0]));
  const files = await openNew(dir, names);
  try {
    await files.qrel?.write(QRELS_HEADER);
    for await (const said of client.lines(`api/v1/feedback/export?as=${as}`)) {
      const { kind, ...line } = Line.parse(said);
      if (kind === 'error') {
        const { code, message, next } = Broken.parse(said);
        throw serverError(code, message, next);
      }
      await files[kind]?.write(textOf(kind, line));
      if (kind in counts) counts[kind]! += 1;
    }
  } catch (error) {
    for (const name of Object.values(names)) await rm(join(dir, name), { force: true });
    throw error;
  } finally {
    await Promise.all(Object.values(files).map((file) => file.close()));
  }
  session.screen.result({ dir, ...counts }, () =>
    as === 'set'
      ? `${count(counts.query ?? 0, 'judged question')} among ${count(counts.paragraph ?? 0, 'paragraph')} in ${dir}`
      : `${count(counts.pair ?? 0, 'pair')} in ${dir}`,
  );
  return EXIT.ok;
};

const textOf = (kind: string, line: object): string => {
  if (kind !== 'qrel') return `${JSON.stringify(line)}\n`;
  const { query, paragraph, grade } = Qrel.parse(line);
  return `${query}\t${paragraph}\t${grade}\n`;
};

/** By kind. None is overwritten: a set that somebody measured with stays what it was. */
const openNew = async (dir: string, names: Record<string, string>) => {
  await mkdir(dir, { recursive: true });
  const made: string[] = [];
  const files: Record<string, Awaited<ReturnType<typeof open>>> = {};
  try {
    for (const [kind, name] of Object.entries(names)) {
      files[kind] = await open(join(dir, name), 'wx');
      made.push(name);
    }
    return files;
  } catch (error) {
    await Promise.all(Object.values(files).map((file) => file.close()));
    for (const name of made) await rm(join(dir, name));
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    throw usage(`There is such a file in ${dir} already.`, 'Name a folder that has none of them.');
  }
};
