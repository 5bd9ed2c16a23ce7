import type { DocumentType, ExtractedField, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { EnrichmentTables } from '../rows/tables.js';

/** A document's metadata as they are now, corrections included. */
export interface ShownMetadata {
  type: DocumentType;
  version: number;
  fields: ExtractedField[];
  /** Values of a model that the text does not have. */
  dropped: number;
  /** Null where rules alone found them. */
  model: string | null;
}

/** The metadata of these documents, in order; null where none were extracted. */
export const readExtracted =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId, documents: readonly string[]): Promise<(ShownMetadata | null)[]> =>
    db.asTenant(tenant, async (tx) => {
      const rows = await tx
        .selectFrom('extracted')
        .select(['document', 'version', 'shown', 'dropped', 'model'])
        .where('document', 'in', [...documents, ''])
        .execute();
      const found = new Map(rows.map((row) => [row.document, row]));
      return documents.map((document) => {
        const row = found.get(document);
        if (!row) return null;
        const type = row.shown.find(({ name }) => name === 'type')?.value as DocumentType; // readMetadata checked it
        return {
          type: type ?? 'other',
          version: row.version,
          fields: row.shown,
          dropped: row.dropped,
          model: row.model,
        };
      });
    });
