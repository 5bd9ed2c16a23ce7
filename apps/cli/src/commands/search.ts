import { z } from 'zod';
import { SEARCH } from '../client/operations.js';
import { Failure, Hit, Plan } from '../client/shapes.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { hitText } from '../terminal/hit-text.js';
import { planText } from '../terminal/plan-text.js';
import { warn } from '../terminal/warn.js';
import { type AddCommand, finish } from './command.js';
import { type QuestionOptions, scopeOf, withQuestionOptions } from './search-options.js';

const Found = z.object({
  search: z.object({
    hits: z.array(Hit),
    plan: Plan,
    notices: z.array(Failure),
    tookMs: z.number(),
  }),
});

interface Options extends QuestionOptions {
  why?: boolean;
}

export const addSearch: AddCommand = (program, run) => {
  const command = program
    .command('search')
    .description('The paragraphs that answer a question, best first, each with its reason.')
    .argument('<query...>', 'the question; quotes are not needed')
    .option('-w, --why', 'show how each paragraph fared on every leg')
    .option('--no-summaries', 'paragraphs alone: no document by its title and summary');
  finish(withQuestionOptions(command, 5, 'how many paragraphs'), [
    'search how are paragraphs scored',
    'search "notice period" -n 10 --collection contracts',
    'search --why "Who signed the lease?"',
    'search --plan email receipt from the pharmacy last October',
    "search invoices --json | jq '.hits[0].paragraph.text'",
  ]).action((words: string[], options: Options) =>
    run(options, (session) => runSearch(session, words.join(' '), options)),
  );
};

const runSearch = async (session: Session, query: string, options: Options): Promise<ExitCode> => {
  const { screen } = session;
  const client = await session.client();
  const { data, missing } = await client.query(Found, SEARCH, { query, first: options.n, ...scopeOf(options) });
  const { hits, ...rest } = data.search;
  const found = () =>
    hits.length === 0
      ? 'Nothing was found.'
      : hits.map((hit, at) => hitText(hit, at + 1, { ...screen, why: options.why ?? false })).join('\n\n');
  screen.result({ ...rest, hits, missing }, () =>
    options.plan ? `${planText(rest.plan, screen)}\n\n${found()}` : found(),
  );
  warn(screen, [...rest.notices, ...missing]);
  return EXIT.ok;
};
