import type { DocumentType } from '@postmaster/contracts';
import { isMail, type ReadText } from './document-text.js';
import { asWritten, type Found, type Piece, trimmed } from './found.js';
import { labelled, labelPattern, type Line } from './labels.js';
import { readDates } from './read-dates.js';
import { CLOSING, COMPANY, HEADINGS, LABELS, SALUTATION, SEAT_WORDS } from './words.js';

const VENDOR = labelPattern(LABELS.vendor);
const CUSTOMER = labelPattern(LABELS.customer);
const ANY_LABEL = labelPattern(Object.values(LABELS).flat());
const OF_RECEIPT = /(?:receipt|kvittering|ticket) (?:from|fra|- )\s*(?<name>\p{L}[^\n]{1,80})$/imu;
const NAMED_COMPANY = new RegExp(
  String.raw`(?:fra|from|hos|by)\s+(?<name>\p{Lu}[\p{L}&. -]{1,50} ${COMPANY})(?![\p{L}])`,
  'u',
);
const TITLES = /^(?:mr|mrs|ms|dr|hr|fru)\.?\s+(?=\p{L}+\s)/iu;
const GENERIC = /^(?:bogholderi\p{L}*|accounts?|billing|faktura|invoices?|info|no-?reply|kundeservice|support)$/iu;
const ADDRESS =
  /(?<!\p{N})\d{4}\s+\p{Lu}|(?<![\p{L}])[A-Z]{1,2}\d{1,2}[A-Z]?\s\d[A-Z]{2}(?![\p{L}])|,\s*(?:\p{Lu}\p{Ll}+\s)?[A-Z]{2}(?:\s\d{5})?$|\p{L}+(?:gatan|gade|vej)\s\d+,/u;
const STREET = /^\p{L}[\p{L}.' -]*\s\d{1,4}\s?\p{L}?(?:,.*)?$/u;
const REGISTRATION = /^(?:CVR|VAT|Org\.?\s?nr|Tlf|Tel|Bon|Order|Trip|Table)(?![\p{L}])/iu;
/** Danish and English; the first in a text is its own, those of other documents come later. */
export const INVOICE_NUMBER =
  /(?<![\p{L}])(?:faktura(?:nummer|nr)?|regnings(?:nummer|nr)|opkrævnings(?:nummer|nr)|kreditnota|invoice(?: (?:number|no|id))?|bill (?:number|no)|credit note)\.?[ \t]*(?:nr|no|number)?[ \t]*[.:#]{0,2}[ \t]*(?<number>(?=[\w/-]*\d)[A-Z0-9][\w/-]*)(?![.,]\d)/iu;

/** Who sold, who bought, and the number of the invoice. */
export const partyFields = (read: ReadText, type: DocumentType): Found[] => {
  const vendor = vendorOf(read, type);
  const customer = type === 'ticket' ? undefined : customerOf(read);
  const number = INVOICE_NUMBER.exec(read.text);
  const numberAt = number ? number.index + number[0].length - number.groups!.number!.length : 0;
  return [
    ...(vendor ? [vendor] : []),
    ...(customer ? [{ name: 'customer', value: asWritten(customer), at: [customer] } as const] : []),
    ...(number && type !== 'receipt'
      ? [
          {
            name: 'invoiceNumber',
            value: number.groups!.number!,
            at: [{ start: numberAt, end: numberAt + number.groups!.number!.length }],
          } as const,
        ]
      : []),
  ];
};

const vendorOf = (read: ReadText, type: DocumentType): Found | undefined => {
  const found = type === 'ticket' ? undefined : labelled(read.lines, VENDOR)[0];
  const named =
    found ??
    groupIn(read.text, OF_RECEIPT) ??
    (isMail(read) || type === 'receipt' ? groupIn(read.text, NAMED_COMPANY) : undefined);
  if (named) return { name: 'vendor', value: asWritten(named), at: [named] };
  if (isMail(read)) {
    const name = /^"?([^"<]+?)"?\s*</u.exec(String(read.found.from ?? ''))?.[1];
    return name && !GENERIC.test(name) && type !== 'ticket' ? { name: 'vendor', value: name, at: [] } : undefined;
  }
  const line = firstName(read);
  return line && { name: 'vendor', value: asWritten(line), at: [line] };
};

/** The first of the first lines that is no heading, label, address, date or number. */
export const firstName = ({ lines }: ReadText): Piece | undefined => {
  const line = lines.slice(0, 6).find(({ cells: [cell] }) => cell && isName(cell.text));
  const cell = line?.cells.length && line.cells.every(({ text }) => text.length < 12) ? line : line?.cells[0];
  if (!cell) return undefined;
  const name = cell.text.split(/,\s(?=\p{Ll})/u)[0]!; // "Anna Forsberg, illustrator"
  return { text: name, start: cell.start, end: cell.start + name.length };
};

const isName = (text: string): boolean =>
  /\p{L}{2}/u.test(text) &&
  !Object.values(HEADINGS).some((heading) => heading.test(text)) &&
  !ANY_LABEL.test(text) &&
  !REGISTRATION.test(text) &&
  !/^\p{L}+:\s/u.test(text) &&
  !ADDRESS.test(text) &&
  !STREET.test(text) &&
  !SALUTATION.test(text) &&
  !CLOSING.test(text) &&
  !/[.!?]$|(?:\p{L}+\s+){8}/u.test(text.replace(/(?:Inc|Ltd)\.$/u, '')) && // a sentence
  (text.match(SEAT_WORDS)?.length ?? 0) < 2 &&
  readDates(text, false).length === 0;

const customerOf = (read: ReadText): Piece | undefined => {
  const found = labelled(read.lines, CUSTOMER)[0] ?? saluted(read);
  if (!found || /^\d/.test(found.text)) return undefined;
  const name = found.text.split(/,\s(?=.*\d)/u)[0]!;
  const title = TITLES.exec(name)?.[0].length ?? 0;
  return { text: name.slice(title), start: found.start + title, end: found.start + name.length };
};

/** Whom the text greets. */
export const saluted = ({ lines }: Pick<ReadText, 'lines'>): Piece | undefined => {
  for (const line of lines) {
    const name = SALUTATION.exec(line.text)?.groups?.name;
    if (name) {
      const start = line.start + line.text.indexOf(name, line.text.search(/\s/u));
      return { text: name, start, end: start + name.length };
    }
  }
  return undefined;
};

/** Where who wrote it is: an address among the first lines, in one line or two. */
export const addressOf = ({ lines }: ReadText): { value: string; at: Piece[] } | undefined => {
  const customer = lines.findIndex(({ cells }) => cells.some(({ text }) => CUSTOMER.test(text)));
  const own = customer < 0 ? lines : [...lines.slice(0, customer), ...lines.slice(customer + 4)];
  const at = own.findIndex((line) => ADDRESS.test(addressCell(line).text) && !ANY_LABEL.test(line.text));
  const line = own[at];
  if (!line) return undefined;
  const cell = addressCell(line);
  const before = own[at - 1];
  const lead = /^(?:[\p{L}&' ]+ (?=\d))?/u.exec(cell.text);
  if (before && /^\d{4}\s/u.test(cell.text) && lead && STREET.test(before.text))
    return { value: `${asWritten(before)}, ${asWritten(cell)}`, at: [before, cell] };
  return { value: asWritten(cell), at: [cell] };
};

const addressCell = ({ cells }: Line): Piece => cells.find(({ text }) => ADDRESS.test(text)) ?? cells[0]!;

const groupIn = (text: string, pattern: RegExp): Piece | undefined => {
  const found = pattern.exec(text);
  const name = found?.groups?.name;
  if (!found || !name) return undefined;
  const start = found.index + found[0].indexOf(name);
  return trimmed(text, start, start + name.length);
};
