import type { Consumer } from '@postmaster/contracts';
import { type Database, forgetDeadLetters, once, publish } from '@postmaster/durable';
import { eraseFeedback } from '../rows/feedback.js';
import type { RetrievalTables } from '../rows/tables.js';

const NAME = 'retrieval.forget-feedback';

/** Erases what was said of a deleted document's paragraphs, and says so. */
export const forgetFeedback = (db: Database<RetrievalTables>): Consumer<'document.deleted'> => ({
  name: NAME,
  types: ['document.deleted'],
  handle: (event) =>
    once(db, NAME, event, async (tx) => {
      const { document, version } = event.data;
      await eraseFeedback(tx, event.tenant, document);
      await forgetDeadLetters(tx, document, version);
      await publish(tx, event.tenant, 'document.forgotten', { document, version, service: 'retrieval' });
    }),
});
