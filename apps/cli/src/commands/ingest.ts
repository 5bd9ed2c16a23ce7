import { type Chunking, CHUNKINGS } from '@postmaster/contracts';
import { type Command, Option } from 'commander';
import { usage } from '../cli-error.js';
import { approveCalls, expectCalls, expectedText } from '../ingest/approve-calls.js';
import { type Collected, collectSources } from '../ingest/collect-sources.js';
import { estimate } from '../ingest/estimate.js';
import { ingest } from '../ingest/ingest.js';
import { reportOf } from '../ingest/report.js';
import { reportText, shownSource } from '../ingest/report-text.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { count, size } from '../terminal/figures.js';
import { type AddCommand, finish, metadataFields, wholeNumber } from './command.js';

interface Options {
  collection?: string;
  metadata?: Record<string, unknown>;
  chunking?: Chunking;
  wait: boolean;
  timeout?: number;
  bulk?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** So many files at once are no longer somebody waiting for one. */
const BULK_ABOVE = 20;

export const addIngest: AddCommand = (program, run) => {
  const command: Command = program
    .command('ingest')
    .description('Take in files, folders, globs and web addresses, and follow them until they are ready.')
    .argument('<path...>', 'files, folders (whole), mailboxes (mbox, Maildir), globs in quotes, http(s) addresses')
    .option('-c, --collection <name>', 'put them in this collection')
    .option('-m, --metadata <name=value>', 'say this of each of them; may be repeated', metadataFields)
    .addOption(
      new Option('--chunking <way>', 'how they are cut into paragraphs; as the tenant wants it where absent').choices(
        CHUNKINGS,
      ),
    )
    .option('--no-wait', 'return when the server has them; it goes on by itself')
    .option('--timeout <seconds>', 'wait no longer than this; the server goes on', wholeNumber(1, 1_000_000))
    .option('--bulk', `let questions and single uploads go first (so by itself above ${BULK_ABOVE} sources)`)
    .option('--no-bulk', 'be served like a single upload, however many they are')
    .option('-n, --dry-run', 'show what would be taken, and send nothing')
    .option('-y, --yes', 'agree beforehand to the calls of a model that is not on this machine')
    .addHelpText(
      'after',
      '\nRun it again at any time: what the server has already is unchanged and does no work, what changed becomes a\n' +
        'new version, and what was cut off goes on. Hidden files, node_modules and .git are left alone.',
    );
  finish(command, [
    'ingest handbook.pdf',
    'ingest docs/ --collection manuals --metadata year=2026',
    "ingest 'letters/**/*.docx' notes.md https://example.org/article",
    'ingest archive/ --dry-run',
    'ingest inbox.mbox ~/Maildir --collection mails',
    'ingest archive/ --no-wait --json',
  ]).action((paths: string[], options: Options) => run(options, (session) => runIngest(session, paths, options)));
};

const runIngest = async (session: Session, paths: string[], options: Options): Promise<ExitCode> => {
  const { cwd } = session.surroundings;
  const collected = await collectSources(paths, cwd);
  if (collected.sources.length === 0)
    throw usage(
      'There is nothing here that can be read.',
      'Folders are searched for PDF, Office files, EPUB, RTF, CSV, HTML, Markdown, text, pictures, mails and archives; name other files one by one.',
    );
  const client = await session.client();
  const expected = await expectCalls(client, (words, readsEntities) =>
    estimate(collected.sources, words, readsEntities),
  );
  if (options.dryRun) {
    dryRun(session, collected, expected);
    return EXIT.ok;
  }
  await approveCalls(session, expected, options.yes ?? false);
  const bulk = options.bulk ?? collected.sources.length > BULK_ABOVE;
  const ended = await ingest(session, client, collected.sources, { ...options, bulk });
  const report = reportOf(ended.all, { ...collected, seconds: ended.seconds, followed: options.wait });
  session.screen.result(report, () => reportText(report, cwd, session.screen.paint));
  const { goingOn, notSent, failed } = report.totals;
  if (ended.why !== 'done' && goingOn + notSent > 0) {
    session.screen.remark(leftText(ended.why, goingOn, notSent));
    return ended.why === 'stopped' ? EXIT.stopped : EXIT.failed;
  }
  return failed > 0 ? EXIT.failed : EXIT.ok;
};

const leftText = (why: 'stopped' | 'timeout', goingOn: number, notSent: number): string =>
  [
    why === 'stopped' ? 'Stopped.' : 'The time is up.',
    ...(goingOn > 0
      ? [`The server goes on with ${count(goingOn, 'document')}: \`postmaster documents\` shows them.`]
      : []),
    ...(notSent > 0
      ? [`${count(notSent, 'document was', 'documents were')} not sent: run the same command again to go on.`]
      : []),
  ].join(' ');

const dryRun = (
  session: Session,
  { sources, leftOut, repeated }: Collected,
  { model, estimate: calls }: Awaited<ReturnType<typeof expectCalls>>,
): void => {
  const value = {
    sources: sources.map((source) => ({
      source: source.sourceId,
      bytes: source.kind === 'file' ? source.bytes : null,
    })),
    leftOut,
    repeated,
    model: model?.id ?? null,
    expected: calls,
  };
  session.screen.result(value, () =>
    [
      ...sources.map((source) =>
        source.kind === 'file'
          ? `${shownSource(source.sourceId, session.surroundings.cwd)}  ${size(source.bytes)}`
          : source.sourceId,
      ),
      `${count(sources.length, 'source')} would be taken; nothing was sent.`,
      ...(calls && model ? [expectedText(model, calls)] : []),
    ].join('\n'),
  );
};
