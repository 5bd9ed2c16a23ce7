import type { Lane, TenantId, TenantProfile } from '@postmaster/contracts';
import { type Database, enqueue, publish } from '@postmaster/durable';
import { type Selectable, type Transaction, sql } from 'kysely';
import { cutOf, wantedCut } from './cut.js';
import type { DocumentStatus } from './document.js';
import { announce, lockDocument, PARSE } from './rows/documents.js';
import { giveOut, parsedParagraphOf } from './rows/parsed.js';
import { follow } from './rows/progress.js';
import type { DocumentRow, IngestionTables } from './rows/tables.js';

interface RetryPorts {
  db: Database<IngestionTables>;
  profile: (tenant: TenantId) => Promise<TenantProfile>;
  now: () => Date;
}

/**
 * Brings a document to what is wanted now: one that is cut in another way than its uploader, or its tenant, wants is cut
 * anew as a new version, from the parse that is kept. Else it tries again what failed: the whole document where nothing
 * of it was read, or the paragraphs that were given up. Throws SERVICE_UNAVAILABLE where nobody tells the tenant's wishes.
 */
export const retryDocument =
  ({ db, profile, now }: RetryPorts) =>
  async (tenant: TenantId, id: string): Promise<boolean> => {
    const wishes = await profile(tenant);
    return db.asTenant(tenant, async (tx) => {
      const row = await lockDocument(tx, id);
      if (!row || row.status === 'DELETED') return false;
      if (isOutdated(row, wishes)) {
        await cutAnew(tx, tenant, row, now());
        return true;
      }
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
  };

const READ: ReadonlySet<DocumentStatus> = new Set<DocumentStatus>(['PARSED', 'SEARCHABLE', 'READY']);

const isOutdated = ({ status, chunking, cut }: Selectable<DocumentRow>, wishes: TenantProfile): boolean => {
  if (!READ.has(status)) return false;
  const wanted = wantedCut(chunking, wishes);
  // Of what was read before `cut` was kept, only the strategy is known.
  return cut === null ? wanted.chunking !== 'paragraphs' : cut !== cutOf(wanted);
};

const cutAnew = async (
  tx: Transaction<IngestionTables>,
  tenant: TenantId,
  { id, version: before, lane }: Selectable<DocumentRow>,
  now: Date,
): Promise<void> => {
  const version = before + 1;
  await tx
    .updateTable('documents')
    .set({ version, status: 'ACCEPTED', failure: null, accepted_at: now, progressed_at: now, stalls: 0 })
    .where('id', '=', id)
    .execute();
  await enqueue(tx, tenant, [{ kind: PARSE, key: id, document: id, version, lane }]);
  await announce(tx, tenant, id, 'public.document.accepted');
  await publish(tx, tenant, 'document.progressed', { document: id, version });
};

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
  ({ db }: Pick<RetryPorts, 'db'>) =>
  (tenant: TenantId, id: string, lane: Lane = 'bulk'): Promise<boolean> =>
    db.asTenant(tenant, async (tx) => {
      const row = await lockDocument(tx, id);
      if (!row || row.active_version === null) return false;
      await publish(tx, tenant, 'facets.wanted', { document: id, version: row.active_version, lane });
      return true;
    });
