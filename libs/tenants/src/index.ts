export { answerTenantRequests } from './answer-requests.js';
export { DEFAULT_TENANT, ensureDefaultTenant, type KnownKeys } from './default-tenant.js';
export { type DeleteTenantPorts, eraseTenants, type TenantDeletion } from './delete-tenant.js';
export { hashOfSecret, newSecret } from './key-secret.js';
export type { KeyPorts } from './keys.js';
export { TENANTS_SCHEMA, tenantsMigrations } from './rows/migrations.js';
export type { TenantsTables } from './rows/tables.js';
export type { Key, NewKey, Tenant } from './tenant.js';
export { tenantsUseCases, type TenantsUseCases } from './use-cases.js';
