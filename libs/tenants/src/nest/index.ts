export type { TenantsGraphPorts } from './ports.js';
export { tenantsModule, tenantsTypeDefs } from './tenants.module.js';
