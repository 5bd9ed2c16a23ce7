import { type IndexSpec, type TenantId } from '@postmaster/contracts';
import { type Database, isUnreachable } from '@postmaster/durable';
import type { Encoder } from './encoder.js';
import { isOf, otherEncoder, targetsOf } from './rows/indexes.js';
import type { EmbeddingTables } from './rows/tables.js';

/** An index that was switched away from still answers for much longer than this. */
const KNOWN_FOR_MS = 1_000;

/**
 * The index that a tenant's questions are asked of, noted at its first use; while the rows are out of reach, the one
 * that was known last. Throws DIMENSION_MISMATCH where its vectors were made by another encoder than the one that runs
 * now.
 */
export const servingIndex = (
  db: Database<EmbeddingTables>,
  encoder: Pick<Encoder, 'id' | 'dimension'>,
  now: () => number = Date.now,
): ((tenant: TenantId) => Promise<IndexSpec>) => {
  const known = new Map<TenantId, { index: IndexSpec; at: number }>();
  return async (tenant) => {
    const before = known.get(tenant);
    const at = now();
    if (before && at - before.at < KNOWN_FOR_MS) return before.index;
    const [serving] = await db
      .asTenant(tenant, (tx) => targetsOf(tx, tenant, encoder))
      .catch((error: unknown) => {
        if (before && isUnreachable(error)) return [before.index];
        throw error;
      });
    if (!serving) throw new Error('The tenant has no index, though one was just noted.');
    if (!isOf(encoder, serving)) throw otherEncoder(serving, encoder);
    known.set(tenant, { index: serving, at });
    return serving;
  };
};
