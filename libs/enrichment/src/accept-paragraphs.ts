import type { Consumer } from '@postmaster/contracts';
import { type Database, once } from '@postmaster/durable';
import { takeIn } from './rows/paragraphs.js';
import type { EnrichmentTables } from './rows/tables.js';

/** Takes in parsed paragraphs and asks for their facets. Safe to run again, late, or out of order. */
export const acceptParagraphs = (db: Database<EnrichmentTables>): Consumer<'paragraphs.parsed'> => ({
  name: 'enrichment.accept-paragraphs',
  types: ['paragraphs.parsed'],
  handle: (event) => once(db, 'enrichment.accept-paragraphs', event, (tx) => takeIn(tx, event.tenant, event.data)),
});
