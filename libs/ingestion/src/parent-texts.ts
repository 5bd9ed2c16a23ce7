import { parentTexts, type Requests, type TenantId } from '@postmaster/contracts';
import { sql } from 'kysely';
import type { FileReference } from './folders/folder.js';
import { readDocument, type TextPorts } from './folders/paragraph-texts.js';

export interface ParentText {
  /** The paragraph's, which is a part of it. */
  id: string;
  /** Code points of the document's plain text. */
  start: number;
  end: number;
  text: string;
}

interface Row extends Omit<ParentText, 'text'> {
  text: string | null;
  hash: string;
  newest: string;
  name: string;
  reference: FileReference | null;
}

/**
 * The larger passages that these paragraphs are parts of; nothing of a paragraph that is none, or gone, or whose file
 * is gone or has changed.
 */
export const readParentTexts = async (
  ports: TextPorts,
  tenant: TenantId,
  ids: readonly string[],
): Promise<ParentText[]> => {
  const found = await ports.db.asTenant(tenant, async (tx) => {
    // Only the newest version's paragraphs and the answering one's are kept, and each counts in the parse of its own bytes.
    const { rows } = await sql<Row>`
      select distinct on (p.id) p.id, p.parent_start as start, p.parent_end as "end",
        substring(t.text from p.parent_start + 1 for p.parent_end - p.parent_start) as text,
        d.name, d.reference, d.blob_hash as newest, v.hash
      from paragraphs p
      join documents d on d.tenant = p.tenant and d.id = p.document
      cross join lateral (
        select case when p.version = d.active_version then d.active_blob_hash else d.blob_hash end as hash
      ) v
      left join parses t on t.tenant = d.tenant and t.blob_hash = v.hash
      where p.id = any(${[...ids]}) and p.parent_start is not null and d.status <> 'DELETED'
      order by p.id, coalesce(p.version = d.active_version, false) desc, p.version desc`.execute(tx);
    return rows;
  });
  const read = await Promise.all(
    found.map(async ({ id, start, end, text, reference, ...version }): Promise<ParentText[]> => {
      if (!reference) return text === null ? [] : [{ id, start, end, text }];
      const source = await readDocument(ports, tenant, { ...version, reference }).catch(() => undefined);
      return source ? [{ id, start, end, text: source.points.slice(start, end) }] : [];
    }),
  );
  return read.flat();
};

export const answerParentTexts = (requests: Requests, ports: TextPorts): void =>
  requests.answer(parentTexts, async ({ tenant }, { ids }) => ({
    parents: await readParentTexts(ports, tenant, ids),
  }));
