import {
  deletionRequests,
  type Requests,
  requireScope,
  TENANT_DELETED_EVENT,
  type TenantId,
} from '@postmaster/contracts';
import { closeTenant, type Database, eraseTenantRows, publish, tenantLeft } from '@postmaster/durable';
import type { BlobStore } from './blob-store.js';
import { documentsLeft } from './rows/documents-left.js';
import type { IngestionTables } from './rows/tables.js';

interface DeletionPorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
}

/** Answers for what this service has of what was deleted, and erases tenants. */
export const answerDeletions = (requests: Pick<Requests, 'answer'>, ports: DeletionPorts): void => {
  const { db } = ports;
  const answers = deletionRequests('ingestion');
  const left = documentsLeft(ports);
  requests.answer(answers.countDocuments, async (identity, { documents }) => {
    requireScope(identity, 'read');
    return { places: await left(identity.tenant, documents) };
  });
  requests.answer(answers.countTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { places: await db.evenClosed(tenant, tenantLeft) };
  });
  requests.answer(answers.closeTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    await closeTenant(db, tenant, (tx) => publish(tx, tenant, TENANT_DELETED_EVENT, { tenant }));
    return { closed: true };
  });
  requests.answer(answers.eraseTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { ended: await eraseTenant(ports, tenant) };
  });
};

const BLOBS_A_STEP = 200;

/** The bytes go before the rows that name them: what a kill interrupts is found again. */
const eraseTenant = async ({ db, blobs }: DeletionPorts, tenant: TenantId): Promise<boolean> => {
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
