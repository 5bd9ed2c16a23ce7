import type { Command } from 'commander';
import { several, share, wholeNumber } from './command.js';

/** Where search and ask look, and how much they give. */
export interface QuestionOptions {
  n: number;
  collection?: string[];
  document?: string[];
  language?: string[];
  minRelevance?: number;
  json?: boolean;
}

export const withQuestionOptions = (command: Command, fallback: number, what: string): Command =>
  command
    .option('-n <count>', what, wholeNumber(1, 100), fallback)
    .option('-c, --collection <name>', 'look only in this collection; may be repeated', several)
    .option('-d, --document <id>', 'look only in this document; may be repeated', several)
    .option('-l, --language <code>', 'look only in paragraphs of this language (ISO 639-1); may be repeated', several)
    .option('--min-relevance <number>', 'leave out what fits less than this, 0 to 1', share);

/** The server's SearchFilter and SearchOptions. */
export const scopeOf = ({ collection, document, language, minRelevance }: QuestionOptions) => ({
  filter: { collections: collection, documents: document, languages: language },
  ...(minRelevance !== undefined && { options: { minRelevance } }),
});
