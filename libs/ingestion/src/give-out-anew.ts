import type { TenantId } from '@postmaster/contracts';
import { type Database, enqueue } from '@postmaster/durable';
import { sql } from 'kysely';
import { giveOutPending } from './retry-document.js';
import { PARSE } from './rows/documents.js';
import type { IngestionTables } from './rows/tables.js';

/**
 * Gives out anew what has made no progress for `afterMs`, then twice that, four times …: the last resort against an
 * event that was lost. Returns how many documents it concerned.
 */
export const giveOutAnew =
  ({ db, afterMs = 600_000, now }: { db: Database<IngestionTables>; afterMs?: number; now: () => Date }) =>
  async (): Promise<number> => {
    const stalled = await db.asSystem(async (tx) => {
      const { rows } = await sql<{ tenant: TenantId; id: string }>`
        select tenant, id from documents
        where status in ('ACCEPTED', 'PARSED', 'SEARCHABLE')
          and progressed_at < ${now()}::timestamptz - ${afterMs} * (2 ^ least(stalls, 10)) * interval '1 millisecond'
          and not exists (select from jobs where jobs.tenant = documents.tenant and jobs.document = documents.id::text)
        limit 100`.execute(tx);
      return rows;
    });
    for (const { tenant, id } of stalled)
      await db.asTenant(tenant, async (tx) => {
        const row = await tx
          .updateTable('documents')
          .set({ stalls: sql`stalls + 1`, progressed_at: now() })
          .where('id', '=', id)
          .returning(['status', 'version', 'lane'])
          .executeTakeFirst();
        if (row?.status === 'ACCEPTED')
          await enqueue(tx, tenant, [{ kind: PARSE, key: id, document: id, version: row.version, lane: row.lane }]);
        else if (row) await giveOutPending(tx, tenant, id, row.version);
      });
    return stalled.length;
  };
