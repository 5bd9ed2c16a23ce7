import type { Consumer, TenantId } from '@postmaster/contracts';
import { type Database, forgetDeadLetters, forgetEvents, once, publish } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { EnrichmentTables } from './rows/tables.js';
import { eraseExtracted } from './rows/extracted.js';
import { forgetEntities } from './rows/entities.js';
import { ASK_ENTITIES } from './rows/entity-replies.js';
import { EXTRACT_METADATA, FIND_ENTITIES, MAKE_FACETS } from './rows/paragraphs.js';
import { eraseSummary, SUMMARIZE_DOCUMENT } from './rows/summaries.js';
import { goneUpTo } from './rows/tombstones.js';

type Tx = Transaction<EnrichmentTables>;

/** Erases what this service has of a deleted document, keeps the tombstone against what comes late, and says so. */
export const forgetDocument = (db: Database<EnrichmentTables>): Consumer<'document.deleted'> => ({
  name: 'enrichment.forget-document',
  types: ['document.deleted'],
  handle: (event) =>
    once(db, 'enrichment.forget-document', event, async (tx) => {
      const { document, version } = event.data;
      await goneUpTo(tx, event.tenant, document, version);
      await erase(tx, event.tenant, document, version);
      await forgetDeadLetters(tx, document, version);
      await forgetEvents(tx, event.tenant, document, version);
      await publish(tx, event.tenant, 'document.forgotten', { document, version, service: 'enrichment' });
    }),
});

/** When a version begins to answer, the paragraphs that only older ones had go. */
export const forgetOlderVersions = (db: Database<EnrichmentTables>): Consumer<'version.activated'> => ({
  name: 'enrichment.forget-older-versions',
  types: ['version.activated'],
  handle: (event) =>
    once(db, 'enrichment.forget-older-versions', event, async (tx) => {
      const { document, version } = event.data;
      await goneUpTo(tx, event.tenant, document, version - 1);
      await erase(tx, event.tenant, document, version - 1, { mayReturn: true });
    }),
});

/**
 * Paragraphs up to a version, their jobs, and the replies that were asked for no other paragraph. The first statement
 * waits for whoever is claiming a reply for one of them, and the second one sees that claim.
 */
const erase = async (
  tx: Tx,
  tenant: TenantId,
  document: string,
  version: number,
  { mayReturn } = { mayReturn: false },
): Promise<void> => {
  const gone = await tx
    .deleteFrom('paragraphs')
    .where('document', '=', document)
    .where('version', '<=', version)
    .returning('id')
    .execute();
  const ids = gone.map(({ id }) => id);
  await sql`
    with gone as (
      select unnest(${ids}::text[]) as id
    ), jobless as (
      delete from jobs where kind = ${MAKE_FACETS} and key in (select id from gone)
    ), unrejected as (
      delete from rejections where paragraph in (select id from gone)
    ), unused as (
      delete from reply_uses where paragraph in (select id from gone) returning input_hash
    )
    delete from replies where input_hash in (select input_hash from unused)
      and input_hash not in (select input_hash from reply_uses where paragraph not in (select id from gone))`.execute(
    tx,
  );
  const ofDocuments = [EXTRACT_METADATA, SUMMARIZE_DOCUMENT, FIND_ENTITIES, ASK_ENTITIES];
  await sql`
    delete from jobs where kind = any(${ofDocuments}) and key = ${document} and version <= ${version}`.execute(tx);
  await forgetEntities(tx, tenant, ids, { mayReturn });
  await eraseExtracted(tx, document, version);
  await eraseSummary(tx, document, version);
};
