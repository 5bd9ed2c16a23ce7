import { deleteTenant, type DeleteTenantPorts, tenantDeletion } from './delete-tenant.js';
import { type KeyPorts, createKey, readKeys, revokeKey } from './keys.js';
import { type ProfilePorts, setModelProfile, showModelProfile } from './model-profile.js';
import { showPrice } from './ledger/show-price.js';
import { showUsage, type UsagePorts } from './ledger/show-usage.js';
import { createTenant, limitTenant, showTenant, updateTenant } from './tenants.js';

export type TenantsPorts = KeyPorts & ProfilePorts & UsagePorts;

/** What the subgraph offers, over its ports. */
export const tenantsUseCases = (ports: TenantsPorts & DeleteTenantPorts) => ({
  createTenant: createTenant(ports),
  updateTenant: updateTenant(ports),
  limitTenant: limitTenant(ports),
  showUsage: showUsage(ports),
  showPrice: showPrice(ports),
  deleteTenant: deleteTenant(ports),
  tenantDeletion: tenantDeletion(ports),
  showTenant: showTenant(ports),
  createKey: createKey(ports),
  revokeKey: revokeKey(ports),
  readKeys: readKeys(ports),
  setModelProfile: setModelProfile(ports),
  showModelProfile: showModelProfile(ports),
});
export type TenantsUseCases = ReturnType<typeof tenantsUseCases>;
