import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { EnrichmentTables } from '../rows/tables.js';
import type { DocumentSummary } from './summary-model.js';

export interface ShownSummary extends DocumentSummary {
  version: number;
  /** "extractive" where it is made of the document's own sentences. */
  model: string;
  promptVersion: string;
}

/** The summaries of these documents, in order; null where there is none. */
export const readSummaries =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId, documents: readonly string[]): Promise<(ShownSummary | null)[]> =>
    db.asTenant(tenant, async (tx) => {
      const rows = await tx
        .selectFrom('summaries')
        .select(['document', 'version', 'points', 'paragraph', 'model', 'prompt_version as promptVersion'])
        .where('document', 'in', [...documents, ''])
        .execute();
      const found = new Map(rows.map(({ document, ...shown }) => [document, shown]));
      return documents.map((document) => found.get(document) ?? null);
    });
