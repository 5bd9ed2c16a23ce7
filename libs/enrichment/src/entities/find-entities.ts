import { type TenantId, withoutInstructions } from '@postmaster/contracts';
import { type Database, enqueue, type Finished, type Job } from '@postmaster/durable';
import { storeEntities } from '../rows/entities.js';
import { type FoundInParagraph, readUnread } from '../rows/entity-mentions.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { findMentions } from './find-mentions.js';

/** Paragraphs that are read for one settlement: some 100 ms of work that others wait for. */
const MOST_PARAGRAPHS = 400;
/** Others have their turn after so many. */
const BREATH = 16;

/**
 * Finds by rules what paragraphs name: those of these documents that were not read yet, or by older rules. What only an
 * instruction to a model names is nothing that the document names.
 */
export const findEntities =
  (db: Database<EnrichmentTables>) =>
  async (tenant: TenantId, jobs: readonly Job[]): Promise<Finished<EnrichmentTables>> => {
    const documents = jobs.map(({ document }) => document);
    const unread = await db.asTenant(tenant, (tx) => readUnread(tx, documents, MOST_PARAGRAPHS));
    const found: FoundInParagraph[] = [];
    for (const [at, { id, document, text, language }] of unread.entries()) {
      if (at % BREATH === BREATH - 1) await new Promise(setImmediate);
      found.push({ paragraph: id, document, ...findMentions(withoutInstructions(text), language) });
    }
    return {
      outcomes: new Map(),
      store: async (tx) => {
        await storeEntities(tx, tenant, found);
        if (unread.length === MOST_PARAGRAPHS) await enqueue(tx, tenant, jobs); // the rest of them
      },
    };
  };
