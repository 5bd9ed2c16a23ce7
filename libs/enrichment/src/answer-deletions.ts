import { deletionRequests, type Requests, requireScope } from '@postmaster/contracts';
import { closeTenant, type Database, eraseTenantRows, tenantLeft } from '@postmaster/durable';
import { documentsLeft } from './rows/documents-left.js';
import type { EnrichmentTables } from './rows/tables.js';

/** Answers for what this service has of what was deleted, and erases tenants. */
export const answerDeletions = (requests: Pick<Requests, 'answer'>, db: Database<EnrichmentTables>): void => {
  const answers = deletionRequests('enrichment');
  requests.answer(answers.countDocuments, async (identity, { documents }) => {
    requireScope(identity, 'read');
    return { places: await db.evenClosed(identity.tenant, (tx) => documentsLeft(tx, documents)) };
  });
  requests.answer(answers.countTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { places: await db.evenClosed(tenant, tenantLeft) };
  });
  requests.answer(answers.closeTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    await closeTenant(db, tenant);
    return { closed: true };
  });
  requests.answer(answers.eraseTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { ended: await db.evenClosed(tenant, (tx) => eraseTenantRows(tx)) };
  });
};
