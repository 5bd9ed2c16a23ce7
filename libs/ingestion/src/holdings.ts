import { TENANT_DELETED_EVENT, type TenantId } from '@postmaster/contracts';
import { closeTenant, type Database, eraseTenantRows, heldInRows, type Holdings, publish } from '@postmaster/durable';
import type { BlobStore } from './blob-store.js';
import { documentsLeft } from './rows/documents-left.js';
import type { IngestionTables } from './rows/tables.js';

interface HoldingPorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
}

/** Rows and bytes; partners hear from here that a tenant is closed. */
export const holdings = (ports: HoldingPorts): Holdings => ({
  ...heldInRows(ports.db),
  documentsLeft: documentsLeft(ports),
  closeTenant: (tenant) => closeTenant(ports.db, tenant, (tx) => publish(tx, tenant, TENANT_DELETED_EVENT, { tenant })),
  eraseTenant: (tenant) => eraseTenant(ports, tenant),
});

const BLOBS_A_STEP = 200;

/** The bytes go before the rows that name them: what a kill interrupts is found again. */
const eraseTenant = async ({ db, blobs }: HoldingPorts, tenant: TenantId): Promise<boolean> => {
  const named = await db.evenClosed(tenant, (tx) =>
    tx.selectFrom('blobs').select('hash').limit(BLOBS_A_STEP).execute(),
  );
  for (const { hash } of named) await blobs.remove(tenant, hash);
  return db.evenClosed(tenant, async (tx) => {
    const hashes = named.map(({ hash }) => hash);
    if (hashes.length > 0) await tx.deleteFrom('blobs').where('hash', 'in', hashes).execute();
    const ended = await eraseTenantRows(tx, { kept: ['blobs'] });
    return ended && named.length < BLOBS_A_STEP;
  });
};
