import { CodedError, type IndexSpec, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { Encoder } from './encoder.js';
import type { EmbeddingTables } from './rows/tables.js';

/** The index that an encoder fills; other versions of it, or other dimensions, are other indexes. */
export const indexOf = (encoder: Pick<Encoder, 'id' | 'dimension'>): IndexSpec => ({
  name: `${encoder.id.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${encoder.dimension}`.slice(0, 80),
  encoder: encoder.id,
  dimension: encoder.dimension,
});

/**
 * The tenant's index, noted at its first use. Throws DIMENSION_MISMATCH where the tenant's vectors were made by
 * another encoder than the one that runs now.
 */
export const tenantIndex = (
  db: Database<EmbeddingTables>,
  encoder: Pick<Encoder, 'id' | 'dimension'>,
): ((tenant: TenantId) => Promise<IndexSpec>) => {
  const spec = indexOf(encoder);
  const agreed = new Set<TenantId>();
  return async (tenant) => {
    if (agreed.has(tenant)) return spec;
    const noted = await db.asTenant(tenant, async (tx) => {
      const there = await tx.selectFrom('indexes').selectAll().execute();
      if (there.length === 0)
        await tx
          .insertInto('indexes')
          .values({ tenant, ...spec })
          .onConflict((c) => c.doNothing())
          .execute();
      return there;
    });
    const other = noted.find(({ name }) => name !== spec.name);
    if (other)
      throw new CodedError(
        'DIMENSION_MISMATCH',
        `The index holds vectors of "${other.encoder}" (${other.dimension} dimensions); the encoder is "${spec.encoder}" (${spec.dimension}).`,
        { next: `Restore the encoder "${other.encoder}", or use another data folder and ingest again.` },
      );
    agreed.add(tenant);
    return spec;
  };
};
