export { startTenants } from './start-tenants.js';
