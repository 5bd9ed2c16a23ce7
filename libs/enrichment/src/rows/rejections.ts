import type { TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { EntityPart, FacetPart, Rejection, RejectionReason } from '../gate/rejection.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

export interface RejectedCount {
  part: FacetPart | EntityPart;
  reason: RejectionReason;
  count: number;
  paragraphs: number;
}

/** Notes what of these parts did not count of paragraphs, in place of what was noted before; how much and why, never the text. */
export const storeRejections = async <Part extends FacetPart | EntityPart>(
  tx: Tx,
  tenant: TenantId,
  parts: readonly Part[],
  made: readonly { id: string; rejected: readonly Rejection<Part>[] }[],
): Promise<void> => {
  if (made.length === 0) return;
  await tx
    .deleteFrom('rejections')
    .where('paragraph', 'in', [...made.map(({ id }) => id)])
    .where('part', 'in', [...parts])
    .execute();
  const rows = made.flatMap(({ id, rejected }) =>
    rejected.map(({ part, reason }) => ({ paragraph: id, part, reason })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into rejections (tenant, paragraph, part, reason, count)
    select ${tenant}, r.paragraph, r.part, r.reason, count(*)
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(paragraph text, part text, reason text)
    join paragraphs on paragraphs.id = r.paragraph
    group by r.paragraph, r.part, r.reason`.execute(tx);
};

/** Of one document, or of all; the most frequent first. */
export const countRejections = async (tx: Tx, document?: string): Promise<RejectedCount[]> => {
  const { rows } = await sql<RejectedCount>`
    select r.part, r.reason, sum(r.count)::int as count, count(*)::int as paragraphs
    from rejections r join paragraphs p on p.id = r.paragraph
    where ${document ?? null}::text is null or p.document = ${document ?? null}
    group by r.part, r.reason order by count desc, r.reason, r.part`.execute(tx);
  return rows;
};
