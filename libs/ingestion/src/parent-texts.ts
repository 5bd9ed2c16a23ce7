import { parentTexts, type Requests, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import type { IngestionTables } from './rows/tables.js';

export interface ParentText {
  /** The paragraph's, which is a part of it. */
  id: string;
  /** Code points of the document's plain text. */
  start: number;
  end: number;
  text: string;
}

/** The larger passages that these paragraphs are parts of; nothing of a paragraph that is none, or gone. */
export const readParentTexts = (
  db: Database<IngestionTables>,
  tenant: TenantId,
  ids: readonly string[],
): Promise<ParentText[]> =>
  db.asTenant(tenant, async (tx) => {
    // Only the newest version's paragraphs and the answering one's are kept, and each counts in the parse of its own bytes.
    const { rows } = await sql<ParentText>`
      select distinct on (p.id) p.id, p.parent_start as start, p.parent_end as "end",
        substring(t.text from p.parent_start + 1 for p.parent_end - p.parent_start) as text
      from paragraphs p
      join documents d on d.tenant = p.tenant and d.id = p.document
      join parses t on t.tenant = d.tenant
        and t.blob_hash = case when p.version = d.active_version then d.active_blob_hash else d.blob_hash end
      where p.id = any(${[...ids]}) and p.parent_start is not null and d.status <> 'DELETED'
      order by p.id, coalesce(p.version = d.active_version, false) desc, p.version desc`.execute(tx);
    return rows;
  });

export const answerParentTexts = (requests: Requests, db: Database<IngestionTables>): void =>
  requests.answer(parentTexts, async ({ tenant }, { ids }) => ({ parents: await readParentTexts(db, tenant, ids) }));
