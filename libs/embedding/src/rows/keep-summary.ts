import { hashOf, SUMMARY_POSITION, summaryId, type TenantId, type WorkData } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import { INDEX_TEXT, wantIndexing } from './keep-newer.js';
import type { EmbeddingTables } from './tables.js';

/**
 * Takes in a document's summary, unless it is older than what is known: title and summary become a row beside those of
 * the paragraphs, and go the way of these but for progress. It is shown when its version's paragraphs are.
 */
export const keepNewerSummary = async (
  tx: Transaction<EmbeddingTables>,
  tenant: TenantId,
  { document, version, lane, revision, paragraph }: WorkData<'summary.made'>,
): Promise<'kept' | 'early'> => {
  const known = await tx.selectFrom('documents').selectAll().where('id', '=', document).forUpdate().executeTakeFirst();
  if ((known?.buried ?? 0) >= version) return 'kept';
  if (!known || known.version < version) return 'early';
  if (known.version > version || known.facts.reference) return 'kept';
  const text = [known.facts.title, paragraph].filter((part) => part.trim() !== '').join('\n');
  if (text === '') return 'kept';
  const { rows } = await sql<{ id: string }>`
    insert into paragraphs (tenant, id, document, version, position, page, start_at, end_at, trail, text_hash, text,
      active, facets_revision)
    values (${tenant}, ${summaryId(document, version)}, ${document}, ${version}, ${SUMMARY_POSITION}, null, 0, 0, '[]',
      ${hashOf(text)}, ${text},
      exists (select from paragraphs where document = ${document} and version = ${version} and active), ${revision})
    on conflict (tenant, id) do update set text = excluded.text, text_hash = excluded.text_hash, erased = false,
      facets_revision = excluded.facets_revision, revision = paragraphs.revision + 1
      where paragraphs.facets_revision < excluded.facets_revision
    returning id`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await wantIndexing(tx, tenant, INDEX_TEXT, { document, version, lane }, ids);
  return 'kept';
};
