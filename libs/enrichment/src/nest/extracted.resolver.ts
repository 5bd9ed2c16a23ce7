import { Inject } from '@nestjs/common';
import { Args, Context, Mutation, Parent, ResolveField, Resolver, ResolveReference } from '@nestjs/graphql';
import { requireScope } from '@postmaster/contracts';
import { orRefused, type SubgraphContext } from '@postmaster/service';
import DataLoader from 'dataloader';
import type { ShownMetadata } from '../metadata/read-extracted.js';
import { type EnrichmentUseCases, PORTS } from './ports.js';

const loaders = new WeakMap<SubgraphContext, DataLoader<string, ShownMetadata | null>>();

@Resolver('Document')
export class ExtractedResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @ResolveReference()
  reference(reference: { id: string }) {
    return reference;
  }

  @ResolveField('extracted')
  async extracted(@Parent() { id }: { id: string }, @Context() context: SubgraphContext) {
    const { tenant } = context.identity;
    const read = (ids: readonly string[]) => this.ports.readExtracted(tenant, ids);
    const loader = loaders.get(context) ?? new DataLoader(read);
    loaders.set(context, loader);
    const shown = await loader.load(id);
    return shown && inGraph(shown);
  }
}

interface GraphCorrection {
  document: string;
  fields?: { name: string; value?: unknown }[] | null;
  takeBack?: string[] | null;
}

@Resolver()
export class CorrectionsResolver {
  constructor(@Inject(PORTS) private readonly ports: EnrichmentUseCases) {}

  @Mutation('correctMetadata')
  correctMetadata(@Args('input') input: GraphCorrection, @Context() { identity }: SubgraphContext) {
    return orRefused(async () => {
      requireScope(identity, 'write');
      const { document, fields, takeBack } = input;
      const given = { document, fields: fields ?? [], takeBack: takeBack ?? [] };
      return {
        __typename: 'ExtractedMetadata' as const,
        ...inGraph(await this.ports.correct(identity.tenant, identity.subject, given)),
      };
    });
  }
}

const inGraph = ({ type, fields, ...rest }: ShownMetadata) => ({
  ...rest,
  type: type.toUpperCase(),
  fields: fields.map((field) => ({ ...field, from: field.from.toUpperCase() })),
});
