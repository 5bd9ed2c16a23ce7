import { CodedError, type Consumer } from '@postmaster/contracts';
import { type Database, once } from '@postmaster/durable';
import { activate, bury, keepNewerFacets, keepNewerMetadata, keepNewerText } from './rows/keep-newer.js';
import { keepNewerSummary } from './rows/keep-summary.js';
import type { EmbeddingTables } from './rows/tables.js';

type Db = Database<EmbeddingTables>;

/** Takes in parsed paragraphs. Safe to run again, late, or out of order. */
export const acceptText = (db: Db): Consumer<'paragraphs.parsed'> => ({
  name: 'embedding.accept-text',
  types: ['paragraphs.parsed'],
  handle: (event) => once(db, 'embedding.accept-text', event, (tx) => keepNewerText(tx, event.tenant, event.data)),
});

/** Takes in facets. Those that come before their text are handed back, to come again. */
export const acceptFacets = (db: Db): Consumer<'paragraphs.enriched'> => ({
  name: 'embedding.accept-facets',
  types: ['paragraphs.enriched'],
  handle: (event) =>
    once(db, 'embedding.accept-facets', event, async (tx) => {
      if ((await keepNewerFacets(tx, event.tenant, event.data)) === 'early')
        throw new CodedError('NOT_FOUND', 'Facets came before their paragraphs.');
    }),
});

/** Takes in what was extracted of a document. What comes before its text is handed back, to come again. */
export const acceptMetadata = (db: Db): Consumer<'metadata.extracted'> => ({
  name: 'embedding.accept-metadata',
  types: ['metadata.extracted'],
  handle: (event) =>
    once(db, 'embedding.accept-metadata', event, async (tx) => {
      if ((await keepNewerMetadata(tx, event.tenant, event.data)) === 'early')
        throw new CodedError('NOT_FOUND', 'Metadata came before their document.');
    }),
});

/** Takes in what a document was summed up as. What comes before its text is handed back, to come again. */
export const acceptSummary = (db: Db): Consumer<'summary.made'> => ({
  name: 'embedding.accept-summary',
  types: ['summary.made'],
  handle: (event) =>
    once(db, 'embedding.accept-summary', event, async (tx) => {
      if ((await keepNewerSummary(tx, event.tenant, event.data)) === 'early')
        throw new CodedError('NOT_FOUND', 'A summary came before its document.');
    }),
});

export const acceptActivation = (db: Db): Consumer<'version.activated'> => ({
  name: 'embedding.accept-activation',
  types: ['version.activated'],
  handle: (event) => once(db, 'embedding.accept-activation', event, (tx) => activate(tx, event.tenant, event.data)),
});

export const acceptDeletion = (db: Db): Consumer<'document.deleted'> => ({
  name: 'embedding.accept-deletion',
  types: ['document.deleted'],
  handle: (event) => once(db, 'embedding.accept-deletion', event, (tx) => bury(tx, event.tenant, event.data)),
});
