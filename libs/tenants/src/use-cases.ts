import { type KeyPorts, createKey, readKeys, revokeKey } from './keys.js';
import { type ProfilePorts, setModelProfile, showModelProfile } from './model-profile.js';
import { createTenant, showTenant, updateTenant } from './tenants.js';

export type TenantsPorts = KeyPorts & ProfilePorts;

/** What the subgraph offers, over its ports. */
export const tenantsUseCases = (ports: TenantsPorts) => ({
  createTenant: createTenant(ports),
  updateTenant: updateTenant(ports),
  showTenant: showTenant(ports),
  createKey: createKey(ports),
  revokeKey: revokeKey(ports),
  readKeys: readKeys(ports),
  setModelProfile: setModelProfile(ports),
  showModelProfile: showModelProfile(ports),
});
export type TenantsUseCases = ReturnType<typeof tenantsUseCases>;
