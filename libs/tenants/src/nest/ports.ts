import type { TenantsUseCases } from '../use-cases.js';

export type TenantsGraphPorts = TenantsUseCases;

export const PORTS = Symbol('tenants ports');
