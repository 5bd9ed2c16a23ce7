import { type Command, InvalidArgumentError, Option } from 'commander';
import { several, share, wholeNumber } from './command.js';

const RERANKS = ['none', 'cross-encoder', 'judge'] as const;

/** Where search and ask look, and how much they give. */
export interface QuestionOptions {
  n: number;
  collection?: string[];
  document?: string[];
  language?: string[];
  minRelevance?: number;
  rerank?: (typeof RERANKS)[number];
  /** True: shown; false: there is to be none. */
  plan?: boolean;
  planning?: string;
  duplicates?: boolean;
  diversity?: number;
  byDocument?: boolean;
  perDocument?: number;
  summaries?: boolean;
  json?: boolean;
}

export const withQuestionOptions = (command: Command, fallback: number, what: string): Command =>
  command
    .option('-n <count>', what, wholeNumber(1, 100), fallback)
    .option('-c, --collection <name>', 'look only in this collection; may be repeated', several)
    .option('-d, --document <id>', 'look only in this document; may be repeated', several)
    .option('-l, --language <code>', 'look only in paragraphs of this language (ISO 639-1); may be repeated', several)
    .option('--min-relevance <number>', 'leave out what fits less than this, 0 to 1', share)
    .addOption(
      new Option('--rerank <way>', 'what reads the best again; the configured cross-encoder unless set').choices(
        RERANKS,
      ),
    )
    .option('--plan', 'show how the request was read: text, conditions, dates, cost')
    .option('--no-plan', 'search by the words alone: no condition is read out of them')
    .option('--planning <who>', 'who reads the request: rules or model', planner)
    .option('--duplicates', 'show paragraphs that nearly repeat a better one, too')
    .option('--diversity <number>', 'how much the paragraphs have to differ from each other, 0 to 1', share)
    .option('--by-document', 'group by document; -n then counts documents')
    .option('--per-document <count>', 'with --by-document: how many of each', wholeNumber(1, 20));

const planner = (text: string): string => {
  if (/^(rules|model)$/i.test(text)) return text.toUpperCase();
  throw new InvalidArgumentError('It should be rules or model; --no-plan is neither.');
};

/** The server's SearchFilter and SearchOptions. */
export const scopeOf = (options: QuestionOptions) => ({
  filter: { collections: options.collection, documents: options.document, languages: options.language },
  options: {
    minRelevance: options.minRelevance,
    rerank: options.rerank?.toUpperCase().replace('-', '_'),
    planning: options.plan === false ? 'NONE' : options.planning,
    ...(options.duplicates && { foldDuplicates: false }),
    ...(options.byDocument && { groupBy: 'DOCUMENT' }),
    diversity: options.diversity,
    perGroup: options.perDocument,
    ...(options.summaries === false && { summaries: false }),
  },
});
