import { Inject } from '@nestjs/common';
import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import { contractName, requireScope } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import { PORTS, type TenantsGraphPorts } from './ports.js';
import { type GraphDimension, graphKey, graphProfile, graphTenant } from './shapes.js';

@Resolver()
export class QueriesResolver {
  constructor(@Inject(PORTS) private readonly ports: TenantsGraphPorts) {}

  @Query('tenant')
  async tenant(@Context() { identity }: SubgraphContext) {
    return graphTenant(await this.ports.showTenant(identity.tenant));
  }

  @Query('usage')
  usage(
    @Args() { month, by }: { month?: string | null; by?: GraphDimension[] | null },
    @Context() { identity }: SubgraphContext,
  ) {
    requireScope(identity, 'admin');
    return this.ports.showUsage(identity.tenant, { month: month ?? undefined, by: by?.map(contractName) });
  }

  @Query('modelPrice')
  modelPrice(@Args('model') model: string) {
    return this.ports.showPrice(model);
  }

  @Query('tenantDeletion')
  tenantDeletion(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'operator');
    return this.ports.tenantDeletion(id);
  }

  @Query('keys')
  async keys(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'admin');
    return (await this.ports.readKeys(identity.tenant)).map(graphKey);
  }

  @Query('modelProfile')
  async modelProfile(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'admin');
    const profile = await this.ports.showModelProfile(identity.tenant);
    return profile && graphProfile(profile);
  }
}
