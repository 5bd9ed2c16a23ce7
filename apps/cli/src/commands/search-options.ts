import { type Command, Option } from 'commander';
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
    );

/** The server's SearchFilter and SearchOptions. */
export const scopeOf = ({ collection, document, language, minRelevance, rerank }: QuestionOptions) => ({
  filter: { collections: collection, documents: document, languages: language },
  options: { minRelevance, rerank: rerank?.toUpperCase().replace('-', '_') },
});
