import { Inject } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { SubgraphContext } from '@postmaster/service';
import DataLoader from 'dataloader';
import type { ShownSummary } from '../summary/read-summaries.js';
import { type EnrichmentUseCases, PORTS } from './ports.js';

const loaders = new WeakMap<SubgraphContext, DataLoader<string, ShownSummary | null>>();

@Resolver('Document')
export class SummaryResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @ResolveField('summary')
  summary(@Parent() { id }: { id: string }, @Context() context: SubgraphContext) {
    const { tenant } = context.identity;
    const read = (ids: readonly string[]) => this.ports.readSummaries(tenant, ids);
    const loader = loaders.get(context) ?? new DataLoader(read);
    loaders.set(context, loader);
    return loader.load(id);
  }
}
