import { type Line, linesOf } from './labels.js';
import { currencyOf } from './read-amounts.js';
import { type FoundDay, readDates } from './read-dates.js';

/** What metadata are extracted from. */
export interface DocumentText {
  text: string;
  title: string;
  contentType: string;
  /** ISO 639-1. */
  language: string | null;
  /** The document's own date, as its format has it. */
  createdAt: string | null;
  /** What the parser found beside the text: of a mail, its headers. */
  found: Readonly<Record<string, unknown>>;
}

/** A text as the rules read it: its lines, its days, the currency that bare numbers are in. */
export interface ReadText extends DocumentText {
  lines: readonly Line[];
  days: readonly FoundDay[];
  currency: string | null;
}

const MAILS = ['message/rfc822', 'application/vnd.ms-outlook'];
const UNITED_STATES =
  /(?<![\p{L}])[A-Z]{2}\s\d{5}(?:-\d{4})?(?!\p{N})|,\s(?:MA|NY|CA|TX|WA|IL|FL|NC|TN|MN|NE)(?![\p{L}])/u;

export const readText = (document: DocumentText): ReadText => {
  const { text, language } = document;
  const currency = currencyOf(text, language);
  return {
    ...document,
    lines: linesOf(text),
    days: readDates(text, currency === 'USD' || UNITED_STATES.test(text)),
    currency,
  };
};

export const isMail = ({ contentType }: DocumentText): boolean => MAILS.includes(contentType);
