import type { TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { EnrichmentTables } from './tables.js';

/**
 * Notes that a document's versions up to this one are gone, and returns up to which they are. The row stays locked until
 * the transaction ends, so that whatever comes at the same moment comes wholly before or wholly after.
 */
export const goneUpTo = async (
  tx: Transaction<EnrichmentTables>,
  tenant: TenantId,
  document: string,
  version = 0,
): Promise<number> => {
  const { rows } = await sql<{ version: number }>`
    insert into tombstones (tenant, document, version) values (${tenant}, ${document}, ${version})
    on conflict (tenant, document) do update set version = greatest(tombstones.version, excluded.version)
    returning version`.execute(tx);
  return rows[0]?.version ?? version;
};
