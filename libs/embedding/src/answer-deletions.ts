import { deletionRequests, type Requests, requireScope } from '@postmaster/contracts';
import { closeTenant, type Database } from '@postmaster/durable';
import { documentsLeft } from './documents-left.js';
import type { Encoder } from './encoder.js';
import { eraseTenant, tenantPlaces } from './erase-tenant.js';
import type { PointStore } from './point-store.js';
import type { EmbeddingTables } from './rows/tables.js';

/** Answers for what this service has of what was deleted, and erases tenants. */
export const answerDeletions = (
  requests: Pick<Requests, 'answer'>,
  ports: { db: Database<EmbeddingTables>; store: PointStore; encoder: Pick<Encoder, 'id' | 'dimension'> },
): void => {
  const answers = deletionRequests('embedding');
  const left = documentsLeft(ports);
  requests.answer(answers.countDocuments, async (identity, { documents }) => {
    requireScope(identity, 'read');
    return { places: await left(identity.tenant, documents) };
  });
  requests.answer(answers.countTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { places: await tenantPlaces(ports, tenant) };
  });
  requests.answer(answers.closeTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    await closeTenant(ports.db, tenant);
    return { closed: true };
  });
  requests.answer(answers.eraseTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { ended: await eraseTenant(ports, tenant) };
  });
};
