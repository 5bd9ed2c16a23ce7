import type { DocumentType } from '@postmaster/contracts';
import { isMail, type ReadText } from './document-text.js';
import type { Found, Piece } from './found.js';
import { INVOICE_NUMBER } from './party-fields.js';
import { CLOSING, HEADINGS, SALUTATION } from './words.js';

/** A heading counts among the first lines only, and where it is short. */
const FIRST_LINES = 12;
const SHORT = 60;

type Kind = keyof typeof HEADINGS;

const EVIDENCE: Record<Kind, RegExp> = {
  receipt:
    /(?<![\p{L}])(?:tak for besøget|thank you|change|bon|kasse|ekspedient|refunderet|terminal|godkendt|receipt for|kvittering for|heraf moms|moms udgør|vat included)(?![\p{L}])/iu,
  invoice:
    /(?<![\p{L}])(?:forfald\p{L}*|betalingsfrist|due|pay by|payment terms|betalingsbetingelser|faktureret|bill to|betale senest|rettidige)(?![\p{L}])/iu,
  ticket:
    /(?<![\p{L}])(?:seat|row|plads|sæde|række|admits|gate|boarding|passenger|rejsende|entrance|indgangen|venue|doors)(?![\p{L}])/iu,
  contract:
    /(?<![\p{L}])(?:between|mellem|parties|parterne|begge parter|underskrift|signed|undersigned|hereby agree)(?![\p{L}])/iu,
};
const PAID = /(?<![\p{L}])(?:dankort|visa|mastercard|kontant|cash|mobilepay|paid|betalt)(?![\p{L}])/iu;

/**
 * What a document is, by the words of its first lines and what else it has. What has a heading of a kind but nothing that
 * such a document has, is not of it: a page that explains invoices. A mail is a mail unless it is wholly something else.
 */
export const documentType = (read: ReadText, fields: readonly Found[]): { type: DocumentType; at: Piece[] } => {
  const has = new Set(fields.map(({ name }) => name));
  const heads = read.lines.slice(0, FIRST_LINES).filter(({ text }) => text.length <= SHORT);
  const mail = isMail(read);
  const scores = Object.entries(HEADINGS).map(([kind, heading]) => {
    const line = heads.find(({ cells }) => cells.some(({ text }) => heading.test(text)));
    const score =
      (line ? 3 - read.lines.indexOf(line) / FIRST_LINES : 0) +
      (EVIDENCE[kind as Kind].test(read.text) ? 1 : 0) + // HEADINGS' key
      (kind === 'receipt' && PAID.test(read.text) ? 1 : 0) +
      (kind === 'invoice' && INVOICE_NUMBER.test(read.text) ? 1.5 : 0) +
      (kind === 'invoice' && has.has('dueDate') ? 1 : 0);
    return { kind: kind as Kind, score, line };
  });
  const enough = mail ? 3 : 2;
  const [best] = scores
    .filter((one) => one.score >= enough && isWhole(one.kind, has))
    .sort((a, b) => b.score - a.score);
  if (best) return { type: best.kind, at: best.line ? [best.line] : [] };
  if (mail) return { type: 'mail', at: [] };
  const letter =
    read.lines.find(({ text }) => SALUTATION.test(text)) && read.lines.find(({ text }) => CLOSING.test(text));
  const closing = read.lines.find(({ text }) => CLOSING.test(text));
  if (letter || (closing && read.days.length > 0)) return { type: 'letter', at: closing ? [closing] : [] };
  return { type: 'other', at: [] };
};

const isWhole = (kind: Kind, has: ReadonlySet<Found['name']>): boolean => {
  if (kind === 'receipt' || kind === 'invoice') return has.has('amount');
  if (kind === 'ticket') return has.has('date') || has.has('servicePeriod');
  return has.has('parties') || has.has('servicePeriod') || has.has('date');
};
