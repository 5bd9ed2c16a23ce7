import { z } from 'zod';
import { SUMMARIZE } from '../client/operations.js';
import { Citation, Failure } from '../client/shapes.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { citationText } from '../terminal/citation-text.js';
import { count } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { warn } from '../terminal/warn.js';
import { wrap } from '../terminal/wrap.js';
import { type AddCommand, finish, several, wholeNumber } from './command.js';

const Summed = z.object({
  summary: z.object({
    points: z.array(z.object({ text: z.string(), citations: z.array(Citation) })),
    documents: z.number(),
    model: z.string(),
    notices: z.array(Failure),
  }),
});

interface Options {
  points: number;
  collection?: string[];
  document?: string[];
  language?: string[];
  json?: boolean;
}

const TEXT_COLUMNS = 100;

export const addSummarize: AddCommand = (program, run) => {
  const command = program
    .command('summarize')
    .description('What a set of documents says, in points that cite their paragraphs.')
    .option('-p, --points <count>', 'how many points at most', wholeNumber(1, 20), 5)
    .option('-c, --collection <name>', 'only of this collection; may be repeated', several)
    .option('-d, --document <id>', 'only this document; may be repeated', several)
    .option('-l, --language <code>', 'only paragraphs of this language (ISO 639-1); may be repeated', several);
  finish(command, [
    'summarize --collection contracts',
    'summarize -d 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11 --points 3',
    "summarize --json | jq -r '.points[].text'",
  ]).action((options: Options) => run(options, (session) => runSummarize(session, options)));
};

const runSummarize = async (session: Session, options: Options): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const filter = { collections: options.collection, documents: options.document, languages: options.language };
  const { data, missing } = await client.query(Summed, SUMMARIZE, { filter, points: options.points });
  const { points, documents, model, notices } = data.summary;
  screen.result({ ...data.summary, missing }, () => {
    if (points.length === 0) return 'There is nothing to sum up.';
    const width = Math.min(screen.columns ?? TEXT_COLUMNS, TEXT_COLUMNS);
    const cited = new Map(points.flatMap(({ citations }) => citations).map((citation) => [citation.marker, citation]));
    return [
      ...points.map(({ text }) => wrap(oneLine(text), width, '  ').replace(/^ {2}/, '• ')),
      '',
      ...[...cited.values()].sort((a, b) => a.marker - b.marker).map((citation) => citationText(citation, screen)),
      screen.paint.dim(`of ${count(documents, 'document')}, by ${model}`),
    ].join('\n');
  });
  warn(screen, [...notices, ...missing]);
  return EXIT.ok;
};
