import type { Facets, TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { EnrichmentTables } from './rows/tables.js';

/** The facets of these paragraphs, in order; null where there are none. */
export const readFacets =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId, ids: readonly string[]): Promise<(Facets | null)[]> =>
    db.asTenant(tenant, async (tx) => {
      const rows = await tx
        .selectFrom('paragraphs')
        .select(['id', 'facets'])
        .where('id', 'in', [...ids, ''])
        .execute();
      const found = new Map(rows.map((row) => [row.id, row.facets]));
      return ids.map((id) => found.get(id) ?? null);
    });
