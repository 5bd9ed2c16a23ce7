import { readFileSync } from 'node:fs';
import { type DynamicModule, Module } from '@nestjs/common';
import { MutationsResolver } from './mutations.resolver.js';
import { PORTS, type TenantsGraphPorts } from './ports.js';
import { QueriesResolver } from './queries.resolver.js';

@Module({})
class TenantsModule {}

/** The tenants subgraph over its ports. */
export const tenantsModule = (ports: TenantsGraphPorts): DynamicModule => ({
  module: TenantsModule,
  providers: [{ provide: PORTS, useValue: ports }, QueriesResolver, MutationsResolver],
});

export const tenantsTypeDefs = (): string =>
  readFileSync(new URL('../../src/nest/schema.graphql', import.meta.url), 'utf8');
