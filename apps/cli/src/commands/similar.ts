import { z } from 'zod';
import { SIMILAR } from '../client/operations.js';
import { Failure, Hit } from '../client/shapes.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { hitText } from '../terminal/hit-text.js';
import { warn } from '../terminal/warn.js';
import { type AddCommand, finish, wholeNumber } from './command.js';

const Found = z.object({ similar: z.object({ hits: z.array(Hit), notices: z.array(Failure) }) });

interface Options {
  n: number;
  why?: boolean;
  json?: boolean;
}

export const addSimilar: AddCommand = (program, run) => {
  const command = program
    .command('similar')
    .description('More like a paragraph: by the vector of its text and by its words.')
    .argument('<paragraph>', 'its id, as `postmaster search --json` gives it')
    .option('-n <count>', 'how many paragraphs', wholeNumber(1, 100), 5)
    .option('-w, --why', 'show how each paragraph fared on every leg');
  finish(command, [
    'similar 3f2a9c0d51b64e7fa8c2d90e1b7a6c54',
    "similar $(postmaster search leave --json | jq -r '.hits[0].paragraph.id') -n 10",
  ]).action((paragraph: string, options: Options) =>
    run(options, (session) => runSimilar(session, paragraph, options)),
  );
};

const runSimilar = async (session: Session, paragraph: string, { n, why = false }: Options): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const { data, missing } = await client.query(Found, SIMILAR, { paragraph, first: n });
  const { hits, notices } = data.similar;
  screen.result({ hits, notices, missing }, () =>
    hits.length === 0
      ? 'Nothing is like it.'
      : hits.map((hit, at) => hitText(hit, at + 1, { ...screen, why })).join('\n\n'),
  );
  warn(screen, [...notices, ...missing]);
  return EXIT.ok;
};
