import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { countRejections, type RejectedCount } from './rows/rejections.js';
import type { EnrichmentTables } from './rows/tables.js';

/** What of the facets of a document, or of all, did not count, and why; the most frequent first. */
export const readRejections =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId, document?: string): Promise<RejectedCount[]> =>
    db.asTenant(tenant, (tx) => countRejections(tx, document));
