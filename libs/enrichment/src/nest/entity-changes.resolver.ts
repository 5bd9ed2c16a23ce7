import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CodedError, requireScope } from '@postmaster/contracts';
import { connectionOf, orRefused, pageSize, type SubgraphContext } from '@postmaster/service';
import type { Entity } from '../rows/entity-graph.js';
import { entityInGraph } from './entities.resolver.js';
import { type EnrichmentUseCases, PORTS } from './ports.js';

const MOST_AT_ONCE = 100;

@Resolver()
export class EntityChangesResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @Query('exportedEntities')
  async exported(
    @Args() { first, after }: { first?: number | null; after?: string | null },
    @Context() { identity }: SubgraphContext,
  ) {
    requireScope(identity, 'read');
    const asked = { first: pageSize(first), after: after ?? undefined };
    const { nodes, pageInfo } = connectionOf(await this.ports.exportEntities(identity.tenant, asked), asked.after);
    return { lines: nodes.map((line) => `${JSON.stringify(line)}\n`).join(''), pageInfo };
  }

  @Mutation('importEntities')
  imported(
    @Args('input') { lines, firstLine }: { lines: string; firstLine?: number | null },
    @Context() { identity }: SubgraphContext,
  ) {
    return orRefused(async () => {
      requireScope(identity, 'write');
      const given = await this.ports.importEntities(identity.tenant, { lines, firstLine: firstLine ?? 1 });
      return { __typename: 'ImportedEntities' as const, ...given };
    });
  }

  @Mutation('mergeEntities')
  merge(
    @Args('input') { into, entities }: { into: string; entities: string[] },
    @Context() { identity }: SubgraphContext,
  ) {
    return changed(identity, entities, () => this.ports.entities.merge(identity.tenant, into, entities));
  }

  @Mutation('separateNames')
  separate(
    @Args('input') { keys, takeBack }: { keys: string[]; takeBack?: boolean | null },
    @Context() { identity }: SubgraphContext,
  ) {
    return changed(identity, keys, () => this.ports.entities.separate(identity.tenant, keys, takeBack ?? false));
  }

  @Mutation('takeBackEntities')
  takeBack(@Args('input') { entities }: { entities: string[] }, @Context() { identity }: SubgraphContext) {
    return changed(identity, entities, () => this.ports.entities.takeBack(identity.tenant, entities));
  }
}

const changed = (identity: SubgraphContext['identity'], named: readonly string[], act: () => Promise<Entity[]>) =>
  orRefused(async () => {
    requireScope(identity, 'write');
    if (named.length > MOST_AT_ONCE)
      throw new CodedError('INPUT_INVALID', `A call takes ${MOST_AT_ONCE} of them.`, { field: 'input' });
    return { __typename: 'ChangedEntities' as const, entities: (await act()).map(entityInGraph) };
  });
