import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { type Chunking, contractName, type EntitiesBy, type GraphName, requireScope } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import { PORTS, type TenantsGraphPorts } from './ports.js';
import { type GraphSearchSettings, settingsOf } from './search-settings.js';
import {
  type GraphLongParagraphs,
  type GraphProfileInput,
  type GraphScope,
  graphKey,
  graphNewKey,
  graphProfile,
  graphTenant,
  profileOf,
} from './shapes.js';

interface CreateKeyInput {
  name: string;
  scopes?: GraphScope[] | null;
}

interface CreateTenantInput {
  id: string;
  name: string;
  profile?: GraphProfileInput | null;
}

interface UpdateTenantInput {
  name?: string | null;
  paragraphWords?: number | null;
  longParagraphs?: GraphLongParagraphs | null;
  chunking?: GraphName<Chunking> | null;
  entitiesBy?: GraphName<EntitiesBy> | null;
  search?: GraphSearchSettings | null;
  budget?: { tokensPerMonth?: number | null; moneyPerMonth?: number | null } | null;
  id?: string | null;
}

@Resolver()
export class MutationsResolver {
  constructor(@Inject(PORTS) private readonly ports: TenantsGraphPorts) {}

  @Mutation('createKey')
  createKey(@Args('input') { name, scopes }: CreateKeyInput, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'admin');
      const wanted = (scopes ?? ['READ']).map(contractName);
      return graphNewKey(await this.ports.createKey(identity.tenant, { name, scopes: wanted }));
    });
  }

  @Mutation('revokeKey')
  revokeKey(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'admin');
      return graphKey(await this.ports.revokeKey(identity.tenant, id));
    });
  }

  @Mutation('createTenant')
  createTenant(
    @Args('input') { id, name, profile: given }: CreateTenantInput,
    @Context() { identity }: SubgraphContext,
  ) {
    return orRefused(async () => {
      requireScope(identity, 'operator');
      const made = await this.ports.createTenant({ id, name }, given ? profileOf(given) : undefined);
      const profile = made.profile && graphProfile(made.profile);
      return {
        ...{ __typename: 'NewTenant' as const, profile },
        ...{ tenant: graphTenant(made.tenant), key: graphNewKey(made.key) },
      };
    });
  }

  @Mutation('setModelProfile')
  setModelProfile(@Args('input') input: GraphProfileInput, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'admin');
      return graphProfile(await this.ports.setModelProfile(identity.tenant, profileOf(input)));
    });
  }

  @Mutation('deleteTenant')
  deleteTenant(@Args('id') id: string, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'operator');
      return { __typename: 'TenantDeletion' as const, ...(await this.ports.deleteTenant(id)) };
    });
  }

  @Mutation('updateTenant')
  updateTenant(@Args('input') input: UpdateTenantInput, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      if (input.id) {
        requireScope(identity, 'operator');
        return graphTenant(await this.ports.limitTenant({ id: input.id, budget: input.budget ?? {} }));
      }
      requireScope(identity, 'admin');
      const change = {
        name: input.name ?? undefined,
        paragraphWords: input.paragraphWords ?? undefined,
        longParagraphs: input.longParagraphs ? contractName(input.longParagraphs) : undefined,
        entitiesBy: input.entitiesBy ? contractName(input.entitiesBy) : undefined,
        chunking: input.chunking ? contractName(input.chunking) : undefined,
        search: input.search ? settingsOf(input.search) : undefined,
        budget: input.budget ?? undefined,
      };
      return graphTenant(await this.ports.updateTenant(identity.tenant, change));
    });
  }
}
