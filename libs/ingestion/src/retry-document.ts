import type { Lane, TenantId } from '@postmaster/contracts';
import { type Database, enqueue, publish } from '@postmaster/durable';
import { type Transaction, sql } from 'kysely';
import { lockDocument, PARSE } from './rows/documents.js';
import { giveOut, parsedParagraphOf } from './rows/parsed.js';
import { follow } from './rows/progress.js';
import type { IngestionTables } from './rows/tables.js';

interface RetryPorts {
  db: Database<IngestionTables>;
  now: () => Date;
}

/** Tries again what failed: the whole document where nothing of it was read, else the paragraphs that were given up. */
export const retryDocument =
  ({ db, now }: RetryPorts) =>
  (tenant: TenantId, id: string): Promise<boolean> =>
    db.asTenant(tenant, async (tx) => {
      const row = await lockDocument(tx, id);
      if (!row || row.status === 'DELETED') return false;
      const reset = await resetFailed(tx, id, row.version);
      if (reset > 0) {
        await giveOutPending(tx, tenant, id, row.version);
        await follow(tx, tenant, { document: id, version: row.version }, now());
      } else if (row.status === 'FAILED') {
        await tx
          .updateTable('documents')
          .set({ status: 'ACCEPTED', failure: null, accepted_at: now(), progressed_at: now() })
          .where('id', '=', id)
          .execute();
        await enqueue(tx, tenant, [{ kind: PARSE, key: id, document: id, version: row.version, lane: row.lane }]);
        await publish(tx, tenant, 'document.progressed', { document: id, version: row.version });
      }
      return true;
    });

const resetFailed = async (tx: Transaction<IngestionTables>, document: string, version: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    update paragraphs set
      text_state = case when text_state = 'failed' then 'pending' else text_state end,
      facets_state = case when facets_state = 'failed' then 'pending' else facets_state end,
      text_failure = null, facets_failure = null
    where document = ${document} and version = ${version} and 'failed' in (text_state, facets_state)`.execute(tx);
  return Number(numAffectedRows ?? 0);
};

/** Gives out again every paragraph of a version that has not settled; the neighbours it had are kept by enrichment. */
export const giveOutPending = async (
  tx: Transaction<IngestionTables>,
  tenant: TenantId,
  document: string,
  version: number,
): Promise<void> => {
  const rows = await tx
    .selectFrom('paragraphs')
    .selectAll()
    .where('document', '=', document)
    .where('version', '=', version)
    .orderBy('position')
    .execute();
  const settled = rows.every((row) => row.text_state !== 'pending' && row.facets_state !== 'pending');
  if (!settled) await giveOut(tx, tenant, document, rows.map(parsedParagraphOf));
};

/** Asks for facets anew, from the model that is configured now. */
export const enrichDocument =
  ({ db }: RetryPorts) =>
  (tenant: TenantId, id: string, lane: Lane = 'bulk'): Promise<boolean> =>
    db.asTenant(tenant, async (tx) => {
      const row = await lockDocument(tx, id);
      if (!row || row.active_version === null) return false;
      await publish(tx, tenant, 'facets.wanted', { document: id, version: row.active_version, lane });
      return true;
    });
