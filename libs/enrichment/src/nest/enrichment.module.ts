import { readFileSync } from 'node:fs';
import { type DynamicModule, Inject } from '@nestjs/common';
import { Args, Context, Parent, Query, ResolveField, Resolver, ResolveReference } from '@nestjs/graphql';
import { type Facets, requireScope } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import DataLoader from 'dataloader';
import { EntityChangesResolver } from './entity-changes.resolver.js';
import {
  DocumentEntitiesResolver,
  EntityQueriesResolver,
  EntityResolver,
  NeighbourResolver,
  ParagraphEntitiesResolver,
} from './entities.resolver.js';
import { CorrectionsResolver, ExtractedResolver } from './extracted.resolver.js';
import { SummaryResolver } from './summary.resolver.js';
import { type EnrichmentUseCases as Ports, PORTS } from './ports.js';
import { PromptsResolver } from './prompts.resolver.js';

const loaders = new WeakMap<SubgraphContext, DataLoader<string, Facets | null>>();

@Resolver('Paragraph')
export class ParagraphFacetsResolver {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  @ResolveReference()
  reference(reference: { id: string }) {
    return reference;
  }

  @ResolveField('facets')
  facets(@Parent() { id }: { id: string }, @Context() context: SubgraphContext) {
    const { tenant } = context.identity;
    const loader =
      loaders.get(context) ?? new DataLoader((ids: readonly string[]) => this.ports.readFacets(tenant, ids));
    loaders.set(context, loader);
    return loader.load(id);
  }
}

@Resolver()
export class RejectedFacetsResolver {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  @Query('rejectedFacets')
  rejectedFacets(@Args('document') document: string | undefined, @Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    return this.ports.readRejections(identity.tenant, document);
  }
}

@Resolver()
export class FacetModelResolver {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  @Query('facetModel')
  async facetModel(@Context() { identity }: SubgraphContext) {
    requireScope(identity, 'read');
    const { id, promptVersion, concurrency, remote } = this.ports.model;
    const readsEntities = await this.ports.asksEntities(identity.tenant);
    return { id, promptVersion, concurrency, remote, readsEntities };
  }
}

class EnrichmentModule {}

/** The enrichment subgraph over its ports. */
export const enrichmentModule = (ports: Ports): DynamicModule => ({
  module: EnrichmentModule,
  providers: [
    { provide: PORTS, useValue: ports },
    ParagraphFacetsResolver,
    RejectedFacetsResolver,
    FacetModelResolver,
    ExtractedResolver,
    CorrectionsResolver,
    PromptsResolver,
    SummaryResolver,
    EntityQueriesResolver,
    DocumentEntitiesResolver,
    ParagraphEntitiesResolver,
    EntityResolver,
    NeighbourResolver,
    EntityChangesResolver,
  ],
});

export const enrichmentTypeDefs = (): string =>
  readFileSync(new URL('../../src/nest/schema.graphql', import.meta.url), 'utf8');
