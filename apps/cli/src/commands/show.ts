import { z } from 'zod';
import { Extracted } from '../client/metadata.js';
import { SHOW } from '../client/operations.js';
import { Document, FacetedParagraph } from '../client/shapes.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { documentText, facetedText } from '../terminal/document-text.js';
import { count } from '../terminal/figures.js';
import { metadataText } from '../terminal/metadata-text.js';
import { warn } from '../terminal/warn.js';
import { type AddCommand, finish, wholeNumber } from './command.js';

const Paragraphs = z.object({ totalCount: z.number(), nodes: z.array(FacetedParagraph) });
const Shown = z.object({
  document: Document.extend({ paragraphs: Paragraphs.nullable(), extracted: Extracted.nullish() }).nullable(),
});

interface Options {
  n: number;
  json?: boolean;
}

export const addShow: AddCommand = (program, run) => {
  const command = program
    .command('show')
    .description('A document: how far it is, what failed, and its first paragraphs with their facets.')
    .argument('<id>', 'as `postmaster documents` gives it')
    .option('-n <count>', 'how many paragraphs', wholeNumber(1, 100), 3);
  finish(command, [
    'show 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11',
    'show 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11 -n 20',
    "show 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11 --json | jq '.failure'",
  ]).action((id: string, options: Options) => run(options, (session) => runShow(session, id, options)));
};

const runShow = async (session: Session, id: string, { n }: Options): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const { data, missing } = await client.query(Shown, SHOW, { id, first: n });
  const { document } = data;
  if (!document)
    throw new CliError(
      'NOT_FOUND',
      `There is no document "${id}".`,
      'See `postmaster documents` for those that are there.',
    );
  screen.result({ ...document, missing }, () => {
    const { nodes = [], totalCount = 0 } = document.paragraphs ?? {};
    const rest = totalCount - nodes.length;
    return [
      documentText(document, screen.paint),
      ...(document.extracted ? [metadataText(document.extracted, screen.paint)] : []),
      ...nodes.map((paragraph) => facetedText(paragraph, screen)),
      ...(rest > 0 ? [screen.paint.dim(`and ${count(rest, 'more paragraph')}: -n shows more`)] : []),
    ].join('\n\n');
  });
  warn(screen, missing);
  return EXIT.ok;
};
