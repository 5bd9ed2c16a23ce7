import { DOCUMENT_TYPES, type DocumentType, type ExtractedField, readMetadata } from '@postmaster/contracts';
import { dateFields } from './date-fields.js';
import { documentType } from './document-type.js';
import { type DocumentText, isMail, readText, type ReadText } from './document-text.js';
import { type Found, inCodePoints } from './found.js';
import { headerFields } from './header-fields.js';
import { letterFields, partiesOf, placeOfDate } from './letter-fields.js';
import { moneyFields } from './money-fields.js';
import { addressOf, partyFields } from './party-fields.js';
import { isEventOnTop, ticketFields } from './ticket-fields.js';

export const RULES_VERSION = 'rules-1';

export interface Extracted {
  type: DocumentType;
  /** The type among them; at most one of a name. */
  fields: ExtractedField[];
}

/** Metadata by rules, in Danish and English, with no model: what a document is by its words, and what its labels name. `known`: its type, where that is told. */
export const extractByRules = (document: DocumentText, known?: unknown): Extracted => {
  const read = readText(document);
  const clues = [...moneyFields(read), ...dateFields(read, 'receipt'), ...partiesOf(read)];
  const given = DOCUMENT_TYPES.find((one) => one === known);
  const { type, at } = given ? { type: given, at: [] } : documentType(read, clues);
  const headers = headerFields(document);
  const located = inCodePoints(document.text);
  const fields = [
    located({ name: 'type', value: type, at }, 'rule'),
    ...headers.filter(({ name }) => type === 'mail' || name !== 'date').map((found) => located(found, 'header')),
    ...fieldsOf(read, type).map((found) => located(found, 'rule')),
    ...headers.map((found) => located(found, 'header')), // the date of a mail that is a receipt, where it names none itself
  ];
  const first = fields.filter(({ name }, at) => fields.findIndex((other) => other.name === name) === at);
  return { type, fields: readMetadata(type, first).fields };
};

const fieldsOf = (read: ReadText, type: DocumentType): Found[] => {
  switch (type) {
    case 'receipt':
    case 'invoice':
      return [...bought(read, type), ...dateFields(read, type)];
    case 'ticket':
      return [
        ...ticketFields(read),
        ...bought(read, type).filter(({ name }) => name !== 'vendor' || !isEventOnTop(read)),
        ...dateFields(read, type),
      ];
    case 'letter':
      return [...letterFields(read), ...dateFields(read, type)];
    case 'contract':
      return [...partiesOf(read), ...placeOfDate(read), ...moneyFields(read), ...dateFields(read, type)];
    case 'mail':
    case 'other':
      return [];
  }
};

const bought = (read: ReadText, type: DocumentType): Found[] => {
  const place = isMail(read) ? undefined : addressOf(read);
  return [...partyFields(read, type), ...(place ? [{ name: 'place', ...place } as const] : []), ...moneyFields(read)];
};
