import type { PlaceLeft, TenantId } from '@postmaster/contracts';
import { type Database, deliveryLeft, heldInRows, type Holdings } from '@postmaster/durable';
import { sql } from 'kysely';
import type { RetrievalTables } from '../rows/tables.js';

type Db = Database<RetrievalTables>;

/** Feedback and its tombstones; a service without rows has nothing. */
export const holdings = (db: Db | undefined): Holdings =>
  db
    ? { ...heldInRows(db), documentsLeft: (tenant, documents) => documentsLeft(db, tenant, documents) }
    : {
        documentsLeft: () => Promise.resolve([]),
        tenantLeft: () => Promise.resolve([]),
        closeTenant: () => Promise.resolve(),
        eraseTenant: () => Promise.resolve(true),
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
