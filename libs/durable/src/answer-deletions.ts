import {
  deletionRequests,
  type ErasingService,
  type PlaceLeft,
  type Requests,
  requireScope,
  type TenantId,
} from '@postmaster/contracts';
import { closeTenant } from './closed-tenants.js';
import { eraseTenantRows, tenantLeft } from './count-left.js';
import type { Database } from './database.js';

/** What a service has of documents and tenants, and how it goes; of tenants that are closed, too. */
export interface Holdings {
  documentsLeft(tenant: TenantId, documents: readonly string[]): Promise<PlaceLeft[]>;
  tenantLeft(tenant: TenantId): Promise<PlaceLeft[]>;
  /** Nothing of the tenant is taken from then on. Safe to repeat. */
  closeTenant(tenant: TenantId): Promise<void>;
  /** Some at a time; true when there was no more. */
  eraseTenant(tenant: TenantId): Promise<boolean>;
}

/** Of a service that has nothing of a tenant but its rows. */
export const heldInRows = <T>(db: Database<T>): Omit<Holdings, 'documentsLeft'> => ({
  tenantLeft: (tenant) => db.evenClosed(tenant, tenantLeft),
  closeTenant: (tenant) => closeTenant(db, tenant),
  eraseTenant: (tenant) => db.evenClosed(tenant, (tx) => eraseTenantRows(tx)),
});

/** Answers for what a service has of what was deleted, and erases tenants. */
export const answerDeletions = (
  requests: Pick<Requests, 'answer'>,
  service: ErasingService,
  holdings: Holdings,
): void => {
  const answers = deletionRequests(service);
  requests.answer(answers.countDocuments, async (identity, { documents }) => {
    requireScope(identity, 'read');
    return { places: await holdings.documentsLeft(identity.tenant, documents) };
  });
  requests.answer(answers.countTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { places: await holdings.tenantLeft(tenant) };
  });
  requests.answer(answers.closeTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    await holdings.closeTenant(tenant);
    return { closed: true };
  });
  requests.answer(answers.eraseTenant, async (identity, { tenant }) => {
    requireScope(identity, 'operator');
    return { ended: await holdings.eraseTenant(tenant) };
  });
};
