import { count } from '../terminal/figures.js';
import { LETTERS_PER_BYTE } from './formats.js';
import type { Source } from './source.js';

export interface Calls {
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

export interface Estimate extends Calls {
  /** What of it is for what, as the ledger names it. */
  tasks: { facets: Calls; metadata: Calls; summaries: Calls; entities: Calls };
  /** Addresses, whose size is not known beforehand. */
  unknown: number;
  /** How it was come by. */
  how: string;
}

/** A word with its space; paragraphs end at sentences and headings, so they are not full. */
const LETTERS_PER_WORD = 6.5;
const FULL = 0.7;
const LETTERS_PER_TOKEN = 4;
/** Of a facet call: the instructions, the title and the headings: prompts/facets of enrichment, counted with a genre's block. */
const FIXED_TOKENS = 900;
/** At most 400 letters before and after. */
const NEIGHBOUR_LETTERS = 600;
const REPLY_TOKENS = 300;
/** Enrichment reads so many letters of a document's beginning for its metadata, and so many in each part that it sums up. */
const READ_LETTERS = 12_000;
const METADATA = { fixedTokens: 800, replyTokens: 250 };
const SUMMARY = { fixedTokens: 400, replyTokens: 250, leastLetters: 400, mostParts: 8 };
/** Of a call for entities: the instructions, and of several paragraphs of one document their texts and what is said of each. */
const ENTITIES = { fixedTokens: 1_100, replyTokensEach: 120, mostLetters: 5_000, mostTogether: 8 };
/** Of a file whose ending says nothing. */
const UNKNOWN_SHARE = 0.5;

export const lettersPerParagraph = (words: number): number => words * LETTERS_PER_WORD * FULL;

/** One for each paragraph. */
export const facetCalls = (paragraphs: number, paragraphWords: number): Calls => ({
  calls: paragraphs,
  inputTokens: Math.round(
    paragraphs * (FIXED_TOKENS + (lettersPerParagraph(paragraphWords) + NEIGHBOUR_LETTERS) / LETTERS_PER_TOKEN),
  ),
  outputTokens: paragraphs * REPLY_TOKENS,
});

/** One for each document, by the letters of each. */
export const metadataCalls = (documents: readonly number[]): Calls =>
  sumOf(
    documents.map((letters) => ({
      calls: 1,
      inputTokens: METADATA.fixedTokens + Math.ceil(Math.min(letters, READ_LETTERS) / LETTERS_PER_TOKEN),
      outputTokens: METADATA.replyTokens,
    })),
  );

/** One for each part of a document, and one more that joins several; none where the text is its own summary. */
export const summaryCalls = (documents: readonly number[]): Calls =>
  sumOf(
    documents.flatMap((letters) => {
      const parts = Math.min(SUMMARY.mostParts, Math.ceil(letters / READ_LETTERS));
      if (letters < SUMMARY.leastLetters) return [];
      const calls = parts === 1 ? 1 : parts + 1;
      const read = Math.min(letters, SUMMARY.mostParts * READ_LETTERS) / LETTERS_PER_TOKEN;
      const joined = parts === 1 ? 0 : parts * SUMMARY.replyTokens;
      return {
        calls,
        inputTokens: Math.ceil(calls * SUMMARY.fixedTokens + read + joined),
        outputTokens: calls * SUMMARY.replyTokens,
      };
    }),
  );

/** One for each few paragraphs of a document. `paragraphs`: how many each has. */
export const entityCalls = (paragraphs: readonly number[], paragraphWords: number): Calls => {
  const letters = lettersPerParagraph(paragraphWords);
  const together = Math.max(1, Math.min(ENTITIES.mostTogether, Math.floor(ENTITIES.mostLetters / letters)));
  return sumOf(
    paragraphs.map((many) => {
      const calls = Math.ceil(many / together);
      return {
        calls,
        inputTokens: Math.ceil(calls * ENTITIES.fixedTokens + (many * letters) / LETTERS_PER_TOKEN),
        outputTokens: many * ENTITIES.replyTokensEach,
      };
    }),
  );
};

export const NO_CALLS: Calls = { calls: 0, inputTokens: 0, outputTokens: 0 };

export const sumOf = (all: readonly Calls[]): Calls =>
  all.reduce(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      inputTokens: sum.inputTokens + one.inputTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
    }),
    NO_CALLS,
  );

/**
 * What making facets, metadata and summaries of these sources takes about, and reading entities where a model does, if all
 * of them are new.
 */
export const estimate = (sources: readonly Source[], paragraphWords: number, readsEntities = false): Estimate => {
  const perParagraph = lettersPerParagraph(paragraphWords);
  const files = sources.flatMap((source) => (source.kind === 'url' ? [] : [source]));
  const documents = files
    .map(({ bytes, extension }) => bytes * (LETTERS_PER_BYTE[extension] ?? UNKNOWN_SHARE))
    .filter((letters) => letters > 0);
  const paragraphsOf = documents.map((letters) => Math.max(1, Math.ceil(letters / perParagraph)));
  const paragraphs = paragraphsOf.reduce((sum, many) => sum + many, 0);
  const unknown = sources.length - files.length;
  const tasks = {
    facets: facetCalls(paragraphs, paragraphWords),
    metadata: metadataCalls(documents),
    summaries: summaryCalls(documents),
    entities: readsEntities ? entityCalls(paragraphsOf, paragraphWords) : NO_CALLS,
  };
  return {
    ...sumOf(Object.values(tasks)),
    tasks,
    unknown,
    how:
      `from file sizes: a byte counts as 1 letter of text in Markdown and text, ${LETTERS_PER_BYTE.html} in HTML, ` +
      `${LETTERS_PER_BYTE.docx} in DOCX, ${LETTERS_PER_BYTE.pdf} in PDF; a paragraph has about ` +
      `${Math.round(perParagraph)} letters, and is one call, as a document's metadata are; its summary is up to nine` +
      (unknown > 0 ? `; ${count(unknown, 'address is', 'addresses are')} not counted` : ''),
  };
};
