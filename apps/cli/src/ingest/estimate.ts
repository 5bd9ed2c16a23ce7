import { count } from '../terminal/figures.js';
import { LETTERS_PER_BYTE } from './formats.js';
import type { Source } from './source.js';

export interface Estimate {
  /** One for each paragraph. */
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Addresses, whose size is not known beforehand. */
  unknown: number;
  /** How it was come by. */
  how: string;
}

/** A word with its space; paragraphs end at sentences and headings, so they are not full. */
const LETTERS_PER_WORD = 6.5;
const FULL = 0.7;
const LETTERS_PER_TOKEN = 4;
/** The instructions, the title and the headings: prompts/facets of enrichment, counted with a genre's block. */
const FIXED_TOKENS = 900;
/** At most 400 letters before and after. */
const NEIGHBOUR_LETTERS = 600;
const REPLY_TOKENS = 300;
/** Of a file whose ending says nothing. */
const UNKNOWN_SHARE = 0.5;

export const estimateCalls = (
  paragraphs: number,
  paragraphWords: number,
): Pick<Estimate, 'calls' | 'inputTokens' | 'outputTokens'> => {
  const letters = paragraphWords * LETTERS_PER_WORD * FULL + NEIGHBOUR_LETTERS;
  return {
    calls: paragraphs,
    inputTokens: Math.round(paragraphs * (FIXED_TOKENS + letters / LETTERS_PER_TOKEN)),
    outputTokens: paragraphs * REPLY_TOKENS,
  };
};

/** What facets for these sources take about, if all of them are new. */
export const estimate = (sources: readonly Source[], paragraphWords: number): Estimate => {
  const perParagraph = paragraphWords * LETTERS_PER_WORD * FULL;
  let paragraphs = 0;
  let unknown = 0;
  for (const source of sources)
    if (source.kind === 'url') unknown += 1;
    else {
      const letters = source.bytes * (LETTERS_PER_BYTE[source.extension] ?? UNKNOWN_SHARE);
      paragraphs += letters === 0 ? 0 : Math.max(1, Math.ceil(letters / perParagraph));
    }
  return {
    ...estimateCalls(paragraphs, paragraphWords),
    unknown,
    how:
      `from file sizes: a byte counts as 1 letter of text in Markdown and text, ${LETTERS_PER_BYTE.html} in HTML, ` +
      `${LETTERS_PER_BYTE.docx} in DOCX, ${LETTERS_PER_BYTE.pdf} in PDF; a paragraph has about ` +
      `${Math.round(perParagraph)} letters, and is one call` +
      (unknown > 0 ? `; ${count(unknown, 'address is', 'addresses are')} not counted` : ''),
  };
};
