import { DANISH_INVOICES } from './danish-invoices.js';
import { ENGLISH_INVOICES } from './english-invoices.js';
import { LETTERS } from './letters.js';
import { MAILED_RECEIPTS } from './mailed-receipts.js';
import { MAILS } from './mails.js';
import type { MetadataDocument } from './metadata-document.js';
import { RECEIPTS } from './receipts.js';
import { TICKETS } from './tickets.js';

export type { MetadataDocument } from './metadata-document.js';

/** Sixty: mails, receipts, invoices, tickets, letters and contracts, Danish and English; a third is held out. */
export const METADATA_DOCUMENTS: readonly MetadataDocument[] = [
  ...MAILS,
  ...RECEIPTS,
  ...MAILED_RECEIPTS,
  ...DANISH_INVOICES,
  ...ENGLISH_INVOICES,
  ...TICKETS,
  ...LETTERS,
];
