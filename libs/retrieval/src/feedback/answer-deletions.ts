import { deletionRequests, type PlaceLeft, type Requests, requireScope, type TenantId } from '@postmaster/contracts';
import { closeTenant, type Database, deliveryLeft, eraseTenantRows, tenantLeft } from '@postmaster/durable';
import { sql } from 'kysely';
import type { RetrievalTables } from '../rows/tables.js';

type Db = Database<RetrievalTables>;

/** Answers for what this service has of what was deleted, and erases tenants; without rows it has nothing. */
export const answerDeletions = (requests: Pick<Requests, 'answer'>, db: Db | undefined): void => {
  const answers = deletionRequests('retrieval');
  requests.answer(answers.countDocuments, async (identity, { documents }) => {
    requireScope(identity, 'read');
    return { places: db ? await documentsLeft(db, identity.tenant, documents) : [] };
  });
  requests.answer(answers.countTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { places: db ? await db.evenClosed(tenant, tenantLeft) : [] };
  });
  requests.answer(answers.closeTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    if (db) await closeTenant(db, tenant);
    return { closed: true };
  });
  requests.answer(answers.eraseTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { ended: db ? await db.evenClosed(tenant, (tx) => eraseTenantRows(tx)) : true };
  });
};

const documentsLeft = (db: Db, tenant: TenantId, documents: readonly string[]): Promise<PlaceLeft[]> =>
  db.evenClosed(tenant, async (tx) => {
    const ids = [...documents];
    const { rows } = await sql<{ feedback: number; tombstones: number }>`
      select (select count(*)::int from feedback where documents && ${ids}::text[]) as feedback,
        (select count(*)::int from documents where document = any(${ids}) and deleted) as tombstones`.execute(tx);
    const { feedback = 0, tombstones = 0 } = rows[0] ?? {};
    const kept = tombstones > 0 ? { count: tombstones, why: 'A tombstone: its id.', until: null } : null;
    return [
      { place: 'feedback', left: feedback, kept: null },
      { place: 'documents', left: 0, kept },
      ...(await deliveryLeft(tx, documents)),
    ];
  });
